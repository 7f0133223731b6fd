// runOnce() does it: one poll() loop reads both outputs and feeds the input, so that no full pipe can block
// the two for ever; when both outputs are closed it looks for the exit. Whoever keeps them open, such as a
// child of the child, is waited for as well. A limit that is passed or the stop flag kills the whole group.
// runProcess() only repeats that, for what is repeatable and was killed by others; one that was stopped for
// good (StopWatch) is killed here and counts as such.
#include "support/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "support/child.h"
#include "support/stop_scope.h"
#include "support/usage.h"

namespace ordo {
namespace {

// Folders may be "executable" too.
bool isProgram(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// Whether `path` is a link to Ordo's own drop-in compiler, under the name of one.
bool isDropIn(const std::string& path) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  return !error && file.filename() == "ordo-cc";
}

}  // namespace

bool ProcessResult::disturbed() const {
  return !timed_out && (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP);
}

std::string ProcessResult::ending() const {
  if (timed_out) return fmt::format("ran past its limit of time or output ({:.1f} s)", seconds);
  if (signal != 0) return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  return fmt::format("exited with status {}", exit_code);
}

std::optional<std::string> findProgram(const std::vector<std::string>& names) {
  const char* variable = std::getenv("PATH");
  std::string path = variable == nullptr ? "/usr/bin:/bin" : variable;
  path += ":/usr/lib/llvm-22/bin";
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) {
      if (isProgram(name)) return name;
      continue;
    }
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find(':', begin), path.size());
      const std::string candidate = path.substr(begin, end - begin) + "/" + name;
      if (isProgram(candidate) && (name.starts_with("ordo-") || !isDropIn(candidate))) return candidate;
      begin = end + 1;
    }
  }
  return std::nullopt;
}

namespace {

// Whether a process has been stopped (SIGSTOP) for so long, while we ran, that it is not meant to go on.
class StopWatch {
 public:
  explicit StopWatch(pid_t pid) : pid_(pid) {}

  // To be asked again and again; `now_s` is any clock.
  bool stoppedForGood(double now_s) {
    if (now_s - looked_s_ < kLook) return false;
    // At most so much counts: who does not look may have been stopped as well.
    stopped_s_ = isStopped(pid_) ? stopped_s_ + std::min(now_s - looked_s_, 2 * kLook) : 0;
    looked_s_ = now_s;
    return stopped_s_ >= kForGood;
  }

 private:
  static constexpr double kLook = 0.5, kForGood = 2;
  pid_t pid_;
  double looked_s_ = 0, stopped_s_ = 0;
};

Result<ProcessResult> runOnce(const std::vector<std::string>& argv, const ProcessOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto stopped = [&] { return StopScope::stops(options.stop); };
  ORDO_TRY_ASSIGN(Child child, startChild(argv, options.dir, options.environment));

  ProcessResult result;
  StopWatch watch(child.pid);
  const double patience_ms = StopScope::mayStop(options.stop) ? 200 : options.repeatable ? 500 : 60000;
  std::string_view input = options.input;
  bool given_up = false;  // on a process that was stopped: what it says later nobody hears
  if (input.empty()) child.in.close();
  while (child.out.isOpen() || child.err.isOpen()) {
    const double left = options.timeout_s - elapsed();
    if (left <= 0 || stopped() || result.out.size() + result.err.size() > options.max_output_bytes) {
      result.timed_out = true;
      break;
    }
    pollfd fds[3] = {
        {child.out.get(), POLLIN, 0}, {child.err.get(), POLLIN, 0}, {child.in.get(), POLLOUT, 0}};
    ::poll(fds, 3, static_cast<int>(std::min(left * 1000 + 1, patience_ms)));
    if (options.repeatable && watch.stoppedForGood(elapsed())) {
      given_up = true;
      break;
    }
    if (child.out.isOpen() && fds[0].revents != 0) drain(child.out, result.out);
    if (child.err.isOpen() && fds[1].revents != 0) drain(child.err, result.err);
    if (child.in.isOpen() && fds[2].revents != 0) {
      feed(child.in, input);
      if (input.empty()) child.in.close();
    }
  }
  // The output is closed; what is left of the time is for the exit itself.
  int status = 0;
  for (;;) {
    const bool stuck = given_up || (options.repeatable && watch.stoppedForGood(elapsed()));
    if (stuck) ::kill(-child.pid, SIGKILL);  // waited for below, as killed by somebody else
    const bool kill = result.timed_out || stopped() || elapsed() > options.timeout_s;
    if (kill) {
      result.timed_out = true;
      ::kill(-child.pid, SIGKILL);
      ::kill(child.pid, SIGKILL);
    }
    const pid_t reaped = ::waitpid(child.pid, &status, kill ? 0 : WNOHANG);
    if (reaped == child.pid) break;
    if (reaped < 0 && errno != EINTR)
      return fail(ErrorCode::kInternal, "waiting for {}: {}", argv[0], std::strerror(errno));
    if (reaped == 0) ::usleep(200);
  }
  result.seconds = elapsed();
  if (WIFEXITED(status) && !result.timed_out && !given_up) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  // Somebody may have let it go on, and it may have come to a good end before our signal came.
  if (given_up) result.signal = SIGKILL;
  return result;
}

}  // namespace

Result<ProcessResult> runProcess(const std::vector<std::string>& argv, const ProcessOptions& options) {
  constexpr int kTries = 3;
  for (int tries = 1;; ++tries) {
    Result<ProcessResult> result = runOnce(argv, options);
    const bool again = options.repeatable && result && result->disturbed() && tries < kTries &&
                       !StopScope::stops(options.stop);
    if (!again) return result;
  }
}

std::string shellQuote(const std::vector<std::string>& argv) {
  std::string line;
  for (const std::string& word : argv) {
    if (!line.empty()) line += ' ';
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-+=./:,@%^") == std::string::npos;
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word) {
      if (c == '\'')
        line += "'\\''";
      else
        line += c;
    }
    line += '\'';
  }
  return line;
}

}  // namespace ordo
