// Signals. A terminal sends Ctrl-C to all of a build, but kill, timeout and make send a signal to us alone.
// So the handler passes on what it gets, waits until the compiler has removed what it had begun, and lets the
// signal have its usual effect on us, which is what make looks at. Against SIGKILL, of which nobody hears,
// the compiler asks the kernel for a signal at our end.
#include "builds/running.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "builds/link.h"
#include "frontend/opt.h"
#include "recipe/order.h"

extern char** environ;

namespace ordo::builds {
namespace {

using Words = std::vector<std::string>;

constexpr int kNoProgram = 127;  // as a shell says it

// How many of us are above us. Two are usual (a launcher before ordo-cc).
constexpr const char* kDepthVariable = "ORDO_CC_DEPTH";
constexpr int kDeepest = 6;

constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile sig_atomic_t g_compiler = 0;

// Async-signal-safe throughout.
void passOn(int number) {
  if (const pid_t compiler = g_compiler; compiler > 0) {
    ::kill(compiler, number);
    ::kill(compiler, SIGCONT);
    // It needs milliseconds to clean up. Who does not end is made to.
    for (int tries = 0; ::waitpid(compiler, nullptr, WNOHANG) == 0; ++tries) {
      if (tries == 200) ::kill(compiler, SIGKILL);
      const timespec moment{0, 10'000'000};
      ::nanosleep(&moment, nullptr);
    }
  }
  ::signal(number, SIG_DFL);
  ::raise(number);
}

// A signal that we were started to ignore (nohup) stays ignored.
void listen() {
  for (const int number : kEnding) {
    struct sigaction old{};
    ::sigaction(number, nullptr, &old);
    if (old.sa_handler == SIG_DFL) ::signal(number, passOn);
  }
}

int depth() {
  const char* const text = std::getenv(kDepthVariable);
  return text == nullptr ? 0 : std::atoi(text);
}

Words environmentWith(std::initializer_list<std::string> more) {
  Words environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  environment.insert(environment.end(), more.begin(), more.end());
  return environment;
}

struct Ends {
  Descriptor ours, theirs;
};

Result<Ends> makeSocket() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorCode::kUnavailable, "cannot make a socket: {}", std::strerror(errno));
  return Ends{Descriptor(ends[0]), Descriptor(ends[1])};
}

// Between fork and exec.
[[noreturn]] void execCompiler(const char* program, char* const* argv, char* const* environment,
                               std::initializer_list<int> inherited, const sigset_t& mask, pid_t parent) {
  for (const int number : kEnding) {
    struct sigaction action{};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler == passOn) ::signal(number, SIG_DFL);
  }
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  // Clang cleans up after this one.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(kNoProgram);
  for (const int fd : inherited) ::fcntl(fd, F_SETFD, 0);
  ::execve(program, argv, environment);
  ::_exit(kNoProgram);
}

}  // namespace

int become(const Invocation& invocation) {
  const std::string& name = invocation.command[0];
  if (invocation.program.empty()) {
    fmt::print(stderr,
               "ordo: cannot run {}: there is no such program in PATH; 'ordo doctor' says what to install\n",
               name);
    return kNoProgram;
  }
  if (depth() >= kDeepest) {
    fmt::print(
        stderr,
        "ordo: error: {} runs Ordo's compiler again, and that runs itself; put the real {} before it in "
        "PATH\n",
        invocation.program, name);
    return EXIT_FAILURE;
  }
  ::setenv(kDepthVariable, fmt::format("{}", depth() + 1).c_str(), 1);
  ::execv(invocation.program.c_str(), pointers(invocation.command).data());
  fmt::print(stderr, "ordo: cannot run {}: {}\n", invocation.program, std::strerror(errno));
  return kNoProgram;
}

Result<RunningCompiler> RunningCompiler::start(const Invocation& invocation, bool linked) {
  ORDO_TRY_ASSIGN(Ends socket, makeSocket());
  ORDO_TRY_ASSIGN(Ends rival, makeSocket());
  const std::string plugin = frontend::pluginPath().string();
  // First of all, for nothing after "--" is an option.
  Words command = invocation.command;
  command.insert(command.begin() + 1, linked ? linkPlugin(plugin) : "-fpass-plugin=" + plugin);
  const Words environment =
      environmentWith({fmt::format("{}={}", recipe::kSocketVariable, socket.theirs.get()),
                       fmt::format("{}={}", recipe::kRivalVariable, rival.theirs.get())});
  const std::vector<char*> argv = pointers(command), variables = pointers(environment);
  // Nobody is told to end before it is known who is to be told.
  sigset_t ending, old;
  ::sigemptyset(&ending);
  for (const int number : kEnding) ::sigaddset(&ending, number);
  ::sigprocmask(SIG_BLOCK, &ending, &old);
  listen();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0)
    execCompiler(invocation.program.c_str(), argv.data(), variables.data(),
                 {socket.theirs.get(), rival.theirs.get()}, old, parent);
  const int error = errno;
  g_compiler = pid > 0 ? pid : 0;
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  if (pid < 0)
    return fail(ErrorCode::kUnavailable, "cannot run {}: {}", invocation.program, std::strerror(error));
  return RunningCompiler(pid, std::move(socket.ours), std::move(rival.ours));
}

int RunningCompiler::wait() {
  siginfo_t info{};
  // Its number stays its own until nobody can be about to send it a signal.
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) return kNoProgram;
  }
  g_compiler = 0;
  const std::optional<int> status = awaitEnd(pid_);
  if (!status) return kNoProgram;
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
}

}  // namespace ordo::builds
