#include "support/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/process.h"

namespace ordo {
namespace {

struct Pipe {
  Descriptor read;
  Descriptor write;

  bool open() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return false;
    read = Descriptor(fds[0]);
    write = Descriptor(fds[1]);
    return true;
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

}  // namespace

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

Result<int> startBeside(const std::vector<std::string>& argv) {
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, argv[0].c_str(), nullptr, nullptr, pointers(argv).data(), environ);
  if (error == 0) return pid;
  return fail(ErrorCode::kInvalidArgument, "cannot run {}: {}", argv[0], std::strerror(error));
}

std::optional<int> awaitEnd(int pid, rusage* usage) {
  int status = 0;
  while (::wait4(pid, &status, 0, usage) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  return status;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<Child> startChild(const std::vector<std::string>& argv,
                         const std::optional<std::filesystem::path>& dir,
                         const std::optional<std::vector<std::string>>& environment) {
  ORDO_CHECK(!argv.empty(), "an empty command");
  const auto refused = [&](int error) {
    return fail(ErrorCode::kUnavailable, "cannot start {}: {}", argv[0], std::strerror(error));
  };
  const std::optional<std::string> program = findProgram({argv[0]});
  if (!program)
    return fail(ErrorCode::kNotFound, "there is no program '{}'; 'ordo doctor' says what to install",
                argv[0]);
  const std::vector<char*> words = pointers(argv);
  const std::vector<std::string> none;
  const std::vector<char*> variables = pointers(environment ? *environment : none);
  Pipe in, out, err, report;
  if (!in.open() || !out.open() || !err.open() || !report.open()) return refused(errno);
  const pid_t parent = ::getpid();
  Child child;
  child.pid = ::fork();
  if (child.pid < 0) return refused(errno);
  if (child.pid == 0) {
    execChild(program->c_str(), words.data(), environment ? variables.data() : environ,
              dir ? dir->c_str() : nullptr, in.read.get(), out.write.get(), err.write.get(),
              report.write.get(), parent);
  }
  ::setpgid(child.pid, child.pid);
  // Ends when exec closes the other end, or with the reason why it did not come to that.
  report.write.close();
  int error = 0;
  ssize_t bytes = 0;
  do bytes = ::read(report.read.get(), &error, sizeof error);
  while (bytes < 0 && errno == EINTR);
  if (bytes == sizeof error) {
    awaitEnd(child.pid);
    return refused(error);
  }
  child.in = std::move(in.write);
  child.out = std::move(out.read);
  child.err = std::move(err.read);
  ::fcntl(child.in.get(), F_SETFL, O_NONBLOCK);
  return child;
}

void drain(Descriptor& from, std::string& into) {
  char block[1 << 16];
  const ssize_t bytes = ::read(from.get(), block, sizeof block);
  if (bytes > 0) into.append(block, static_cast<std::size_t>(bytes));
  if (bytes == 0 || (bytes < 0 && errno != EINTR && errno != EAGAIN)) from.close();
}

void feed(const Descriptor& to, std::string_view& bytes) {
  // MSG_NOSIGNAL is for sockets only; a child that closes its input early must not kill us.
  sigset_t pipe_signal, old;
  ::sigemptyset(&pipe_signal);
  ::sigaddset(&pipe_signal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_signal, &old);
  const ssize_t written = ::write(to.get(), bytes.data(), bytes.size());
  if (written < 0 && errno == EPIPE) {
    const timespec now{0, 0};
    ::sigtimedwait(&pipe_signal, nullptr, &now);
    bytes = {};
  } else if (written > 0) {
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

}  // namespace ordo
