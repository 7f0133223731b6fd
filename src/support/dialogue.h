// A program that is talked with, line by line, over its standard input and output. Whatever it does, the
// caller neither waits nor grows without bound. It is the leader of a process group of its own, dies with
// the thread that started it (also by kill -9), and its whole group is killed in the end.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/child.h"
#include "support/process.h"

namespace ordo {

struct DialogueOptions {
  std::vector<std::string> environment = {};  // "NAME=value" each, in place of ours of that name
  double silence_s = 600;                     // the longest that may pass without a whole line
  // Until waitAtMost(), time in which it uses a processor does not count, but so much processor time does: on
  // a busy machine a start takes as long as it takes.
  bool counts_idle_time = false;
  std::size_t max_line_bytes = std::size_t{4} << 20;
  const std::atomic<bool>* stop = nullptr;  // ends all waiting soon after it becomes true
};

// One thread at a time, the one that started it.
class Dialogue {
 public:
  // As runProcess() finds programs and fails.
  static Result<std::unique_ptr<Dialogue>> start(const std::vector<std::string>& argv,
                                                 DialogueOptions options = {});
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;
  ~Dialogue();

  // From now on the longest that may pass without a whole line.
  void waitAtMost(double silence_s) {
    options_.silence_s = silence_s;
    options_.counts_idle_time = false;
  }

  // Sends a line. Who does not listen any more misses it, which is no error: hear() says what became of
  // them. kDeadlineExceeded if it is not taken in time.
  Status say(std::string_view line);

  // The next line, without its end; nothing at the end of the output. kDeadlineExceeded after a silence or
  // when stopped, kCorrupt for a line that is too long or has no end.
  Result<std::optional<std::string>> hear();

  // Closes its input, waits for its end, at most so long, and kills what is left of its group. The result
  // has the end of what it said on standard error, and nothing of its output. To be called once.
  ProcessResult end(double grace_s);

  // Processor time of the program, all its threads and what it has started, in seconds. Who outlives those
  // that started it, or is not waited for by them, is no longer counted then.
  double cpuSeconds() const;

 private:
  Dialogue(Child child, DialogueOptions options);

  double elapsed() const;
  // Waits until something can be done, at most so long, and reads what there is. `output` may be empty.
  void attend(double seconds, std::string_view& output);
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  Child child_;
  DialogueOptions options_;
  const int owner_;  // the process that started it: one that was forked from it ends nothing
  const double start_s_;
  std::string heard_;         // of its output, not yet taken
  std::size_t searched_ = 0;  // so much of it has no end of a line
  std::string errors_;        // the end of it
  bool ended_ = false;
  mutable double cpu_s_ = 0;  // the most that was seen
};

}  // namespace ordo
