// All waiting is in attend(): one poll() over the three pipes, in short parts so that the stop flag is seen.
// say() reads while it writes, so that two who both talk do not block each other. Memory is bounded: output
// is not read while more is waiting than a line may have, and of standard error only the end is kept. end()
// looks for the exit with WNOWAIT: until the program is waited for, its number is nobody else's, and its
// group can safely be killed.
#include "support/dialogue.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "support/clock.h"
#include "support/usage.h"

namespace ordo {
namespace {

constexpr std::size_t kErrorsKept = 8192;
constexpr double kStopEvery = 0.1;    // seconds between looks at the stop flag
constexpr double kLookEvery = 0.005;  // and at whether it has ended
constexpr double kLookAtWork = 0.2;   // and at whether it works

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Ours, but for those that `instead` names.
std::vector<std::string> environmentWith(const std::vector<std::string>& instead) {
  std::vector<std::string> result = instead;
  const auto nameOf = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::ranges::any_of(
        instead, [&](const std::string& other) { return nameOf(other) == nameOf(*entry); });
    if (!replaced) result.emplace_back(*entry);
  }
  return result;
}

}  // namespace

Result<std::unique_ptr<Dialogue>> Dialogue::start(const std::vector<std::string>& argv,
                                                  DialogueOptions options) {
  ORDO_TRY_ASSIGN(Child child, startChild(argv, {}, environmentWith(options.environment)));
  return std::unique_ptr<Dialogue>(new Dialogue(std::move(child), std::move(options)));
}

Dialogue::Dialogue(Child child, DialogueOptions options)
    : child_(std::move(child)),
      options_(std::move(options)),
      owner_(::getpid()),
      start_s_(SteadyClock().seconds()) {}

Dialogue::~Dialogue() {
  if (!ended_ && owner_ == ::getpid()) end(0);
}

double Dialogue::elapsed() const { return SteadyClock().seconds() - start_s_; }

double Dialogue::cpuSeconds() const {
  if (!ended_) cpu_s_ = std::max(cpu_s_, treeCpuSeconds(child_.pid));
  return cpu_s_;
}

void Dialogue::attend(double seconds, std::string_view& output) {
  // Who writes much more than is asked for waits until it is taken.
  const bool full = heard_.size() > options_.max_line_bytes;
  pollfd fds[3] = {{full ? -1 : child_.out.get(), POLLIN, 0},
                   {child_.err.get(), POLLIN, 0},
                   {output.empty() ? -1 : child_.in.get(), POLLOUT, 0}};
  if (::poll(fds, 3, static_cast<int>(std::max(seconds, 0.0) * 1000) + 1) <= 0) return;
  if (fds[0].revents != 0) drain(child_.out, heard_);
  if (fds[1].revents != 0) {
    drain(child_.err, errors_);
    if (errors_.size() > 2 * kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
  }
  if (fds[2].revents != 0) feed(child_.in, output);
}

Status Dialogue::say(std::string_view line) {
  const std::string whole = std::string(line) + "\n";
  std::string_view output = whole;
  const double deadline = elapsed() + options_.silence_s;
  while (!output.empty()) {
    const double left = deadline - elapsed();
    if (stopped()) return fail(ErrorCode::kDeadlineExceeded, "stopped");
    if (left <= 0)
      return fail(ErrorCode::kDeadlineExceeded, "did not read its input for {} s", options_.silence_s);
    attend(std::min(left, kStopEvery), output);
  }
  return {};
}

Result<std::optional<std::string>> Dialogue::hear() {
  double deadline = elapsed() + options_.silence_s;
  const double began_cpu_s = options_.counts_idle_time ? cpuSeconds() : 0;
  double seen_cpu_s = began_cpu_s, looked_s = elapsed();
  for (std::string_view nothing;;) {
    if (const std::size_t end = heard_.find('\n', searched_); end != std::string::npos) {
      if (end > options_.max_line_bytes) break;
      std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      searched_ = 0;
      return line;
    }
    searched_ = heard_.size();
    if (searched_ > options_.max_line_bytes) break;
    if (!child_.out.isOpen()) {
      if (heard_.empty()) return std::optional<std::string>();
      return fail(ErrorCode::kCorrupt, "ended in the middle of a line");
    }
    if (options_.counts_idle_time && elapsed() - looked_s > kLookAtWork) {
      looked_s = elapsed();
      const double cpu_s = cpuSeconds();
      if (cpu_s - began_cpu_s > options_.silence_s)
        return fail(ErrorCode::kDeadlineExceeded, "worked for {} s and said nothing", options_.silence_s);
      if (cpu_s > seen_cpu_s) deadline = looked_s + options_.silence_s;
      seen_cpu_s = cpu_s;
    }
    const double left = deadline - elapsed();
    if (stopped()) return fail(ErrorCode::kDeadlineExceeded, "stopped");
    if (left <= 0) return fail(ErrorCode::kDeadlineExceeded, "said nothing for {} s", options_.silence_s);
    attend(std::min(left, kStopEvery), nothing);
  }
  return fail(ErrorCode::kCorrupt, "wrote a line of more than {} bytes", options_.max_line_bytes);
}

ProcessResult Dialogue::end(double grace_s) {
  child_.in.close();
  const double deadline = elapsed() + grace_s;
  ProcessResult result;
  std::string_view nothing;
  siginfo_t gone{};
  for (;;) {
    // WNOWAIT: while it is not waited for, its number is nobody else's.
    gone.si_pid = 0;
    ::waitid(P_PID, static_cast<id_t>(child_.pid), &gone, WEXITED | WNOHANG | WNOWAIT);
    if (gone.si_pid == child_.pid) break;
    if (elapsed() >= deadline || stopped()) {
      result.timed_out = true;
      break;
    }
    heard_.clear();
    attend(std::min(kLookEvery, deadline - elapsed()), nothing);
  }
  cpuSeconds();
  ::kill(-child_.pid, SIGKILL);
  ::kill(child_.pid, SIGKILL);
  rusage usage{};
  const int status = awaitEnd(child_.pid, &usage).value_or(0);
  ended_ = true;
  cpu_s_ = std::max(cpu_s_, secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime));
  // What it said last. Its group is dead; others that have the pipe are not waited for.
  for (std::size_t before = errors_.size() + 1; child_.err.isOpen() && before != errors_.size();) {
    before = errors_.size();
    attend(0, nothing);
  }
  result.seconds = elapsed();
  if (WIFEXITED(status) && !result.timed_out) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.err = errors_.substr(errors_.size() - std::min(errors_.size(), kErrorsKept));
  return result;
}

}  // namespace ordo
