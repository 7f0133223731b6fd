#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace ordo {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;

  bool open() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return false;
    read = fds[0];
    write = fds[1];
    return true;
  }
  static void shut(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  ~Pipe() {
    shut(read);
    shut(write);
  }
};

// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void execChild(const char* program, char* const* argv, char* const* environment, const char* dir,
                            int in, int out, int err, int report, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  // Where our own standard input is closed, the pipe may have become it; dup2 would then leave it
  // to be closed by exec.
  in == 0 ? ::fcntl(in, F_SETFD, 0) : ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(err, 2);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  if (dir == nullptr || ::chdir(dir) == 0) ::execve(program, argv, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

// Folders may be "executable" too.
bool isProgram(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

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
      if (isProgram(candidate)) return candidate;
      begin = end + 1;
    }
  }
  return std::nullopt;
}

Result<ProcessResult> runProcess(const std::vector<std::string>& argv, const ProcessOptions& options) {
  ORDO_CHECK(!argv.empty(), "an empty command");
  const std::optional<std::string> program = findProgram({argv[0]});
  if (!program)
    return fail(ErrorCode::kNotFound, "there is no program '{}'; 'ordo doctor' says what to install",
                argv[0]);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::vector<char*> environment;
  if (options.environment) {
    for (const std::string& entry : *options.environment)
      environment.push_back(const_cast<char*>(entry.c_str()));
    environment.push_back(nullptr);
  }
  const std::string dir = options.dir ? options.dir->string() : "";

  Pipe in, out, err, report;
  if (!in.open() || !out.open() || !err.open() || !report.open()) {
    return fail(ErrorCode::kUnavailable, "cannot start {}: {}", argv[0], std::strerror(errno));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto stopped = [&] { return options.stop != nullptr && *options.stop; };
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail(ErrorCode::kUnavailable, "cannot start {}: {}", argv[0], std::strerror(errno));
  if (child == 0) {
    execChild(program->c_str(), words.data(), options.environment ? environment.data() : environ,
              options.dir ? dir.c_str() : nullptr, in.read, out.write, err.write, report.write, parent);
  }
  ::setpgid(child, child);
  Pipe::shut(in.read);
  Pipe::shut(out.write);
  Pipe::shut(err.write);
  Pipe::shut(report.write);
  ::fcntl(in.write, F_SETFL, O_NONBLOCK);

  ProcessResult result;
  std::string_view input = options.input;
  if (input.empty()) Pipe::shut(in.write);
  char block[1 << 16];
  const auto drain = [&](int& fd, std::string& into) {
    const ssize_t n = ::read(fd, block, sizeof block);
    if (n > 0) into.append(block, static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) Pipe::shut(fd);
  };
  while (out.read >= 0 || err.read >= 0) {
    const double left = options.timeout_s - elapsed();
    if (left <= 0 || stopped() || result.out.size() + result.err.size() > options.max_output_bytes) {
      result.timed_out = true;
      break;
    }
    pollfd fds[3] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}, {in.write, POLLOUT, 0}};
    ::poll(fds, 3, static_cast<int>(std::min(left * 1000 + 1, options.stop == nullptr ? 60000.0 : 200.0)));
    if (out.read >= 0 && fds[0].revents != 0) drain(out.read, result.out);
    if (err.read >= 0 && fds[1].revents != 0) drain(err.read, result.err);
    if (in.write >= 0 && fds[2].revents != 0) {
      // MSG_NOSIGNAL is for sockets only; a child that closes its input early must not kill us.
      sigset_t pipe_signal, old;
      ::sigemptyset(&pipe_signal);
      ::sigaddset(&pipe_signal, SIGPIPE);
      ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
      const ssize_t n = ::write(in.write, input.data(), input.size());
      if (n < 0 && errno == EPIPE) {
        const timespec now{0, 0};
        ::sigtimedwait(&pipe_signal, nullptr, &now);
        input = {};
      } else if (n > 0) {
        input.remove_prefix(static_cast<std::size_t>(n));
      }
      ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
      if (input.empty()) Pipe::shut(in.write);
    }
  }
  // The output is closed; what is left of the time is for the exit itself.
  int status = 0;
  for (;;) {
    const bool kill = result.timed_out || stopped() || elapsed() > options.timeout_s;
    if (kill) {
      result.timed_out = true;
      ::kill(-child, SIGKILL);
      ::kill(child, SIGKILL);
    }
    const pid_t reaped = ::waitpid(child, &status, kill ? 0 : WNOHANG);
    if (reaped == child) break;
    if (reaped < 0 && errno != EINTR)
      return fail(ErrorCode::kInternal, "waiting for {}: {}", argv[0], std::strerror(errno));
    if (reaped == 0) ::usleep(200);
  }
  result.seconds = elapsed();
  int exec_error = 0;
  if (::read(report.read, &exec_error, sizeof exec_error) == sizeof exec_error) {
    return fail(ErrorCode::kUnavailable, "cannot start {}: {}", argv[0], std::strerror(exec_error));
  }
  if (WIFEXITED(status) && !result.timed_out) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
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
