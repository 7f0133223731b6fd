// The runner of real programs: each run is confined (sandbox/confined.h), on one processor, and in a new
// folder, and its exit status and standard output must be what they were the first time.
//
// Nothing but their code tells the arms apart. They are copied, so that the twin has other pages in memory as
// a candidate has; to paths of equal length, and they see the same name and environment, because the length
// of those moves the stack, which can be worth some percent by itself (Mytkowicz et al., ASPLOS 2009). What a
// program looks for beside its own executable is therefore not there.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/own_folder.h"
#include "support/error.h"
#include "support/files.h"
#include "support/hash.h"
#include "timing/processor.h"
#include "timing/runner.h"

namespace ordo::timing {

// One way to run the programs.
struct Input {
  std::string name = "run";
  std::vector<std::string> args = {};
  // Standard input: the files `before`, `input` as often as `repeat` says, `after`; "" is none.
  std::filesystem::path input = {}, before = {}, after = {};
  std::size_t repeat = 1;
  double timeout_s = 60;  // wall clock
  // What the baseline must exit with, and the hash of what it must print; whatever it does is right if
  // absent.
  std::optional<int> exit = {};
  std::optional<Hash128> output = {};
};

struct RigOptions {
  // The folder whose entries the programs find where they run, as links: they can read them, not change them.
  // "" is none.
  std::filesystem::path dir = {};
  std::optional<unsigned> processor = {};  // the quietest one if absent
  std::size_t memory_bytes = std::size_t{4} << 30;
  // A candidate's run is over after so many times what the baseline's first took, or a second if that is
  // more: who seeks a faster program has no use for one that hangs.
  double most_times_baseline = std::numeric_limits<double>::infinity();
  bool compare_output = true;  // false for programs that print what differs between runs
  const std::atomic<bool>* stop = nullptr;
};

class Rig final : public Runner {
 public:
  // Copies the programs, chooses the processor (0.2 s), and runs baseline and candidate on each input, the
  // baseline twice. kInvalidArgument, with the reason, if they cannot be compared: one cannot be run, the
  // baseline is not the same twice, or the candidate does something else. kDeadlineExceeded if it is stopped.
  // REQUIRES: at least one input.
  static Result<std::unique_ptr<Rig>> create(const std::filesystem::path& baseline,
                                             const std::filesystem::path& candidate,
                                             std::vector<Input> inputs, const RigOptions& options);

  // From now on `program` is the candidate. It is not run here: its readings say if it does something else.
  Status enter(const std::filesystem::path& program);

  // Runs `program` on the first input, and copies what it writes to the file `name` to `copy`. False if it
  // ends otherwise than the baseline, or writes none. There is no candidate afterwards.
  Result<bool> copyWritten(const std::filesystem::path& program, const std::string& name,
                           const std::filesystem::path& copy);

  Result<Reading> run(Arm arm) override;
  double othersShare() override;
  std::string countersProblem() const override { return counters_problem_; }

  unsigned processor() const { return *options_.processor; }

 private:
  // What one input must do.
  struct Expected {
    int exit_code = 0;
    int signal = 0;
    std::string out;
    double wall_s = 0;  // that it took
  };
  struct Done;

  Rig(TempDir dir, std::vector<Input> inputs, const RigOptions& options)
      : dir_(std::move(dir)), inputs_(std::move(inputs)), options_(options) {}

  std::filesystem::path executable(Arm arm) const;
  Result<Done> runInput(Arm arm, const Input& input, double limit_s,
                        const std::optional<sandbox::Wanted>& wanted = {});
  Status learnExpected();

  TempDir dir_;
  std::vector<Input> inputs_;
  RigOptions options_;
  std::vector<Expected> expected_;
  std::string counters_problem_;
  ProcessorTimes since_;  // of the processor, at the last othersShare()
  double own_s_ = 0;      // that the programs had of it since then
};

}  // namespace ordo::timing
