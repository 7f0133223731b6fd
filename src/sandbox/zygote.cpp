// The coordinator's side of the zygote: starts it, asks it for workers, and starts another if it is gone.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "sandbox/handover.h"
#include "sandbox/worker.h"
#include "support/child.h"
#include "support/own_limits.h"
#include "support/usage.h"

namespace ordo::sandbox {
namespace {

// How often one that does not answer is looked at.
constexpr int kLookMs = 250;
// It starts in some 100 ms; this is for a machine that is short of everything.
constexpr double kSilence = 120;
// Who is stopped for so long, while we run, is not meant to go on.
constexpr double kZygoteStopped = 2;
// It needs milliseconds to end its workers. Who does not is made to.
constexpr int kLeaveMs = 1000;
// Starting it twice in vain is a reason to give up, once may be bad luck.
constexpr int kTries = 3;

struct Sockets {
  int ours, theirs;
};

Result<Sockets> makeSockets() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorCode::kUnavailable, "cannot create a socket: {}", std::strerror(errno));
  return Sockets{ends[0], ends[1]};
}

int processDescriptor(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

std::string endingOf(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("exited with status {}", WEXITSTATUS(status));
  return fmt::format("was killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
}

// Whether a helper that was told to leave does so in good time.
bool leaves(int pidfd) {
  pollfd event{pidfd, POLLIN, 0};
  return ::poll(&event, 1, kLeaveMs) > 0;
}

double cpuSeconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

Result<Zygote::Helper> Zygote::launch(const std::vector<std::string>& program) {
  if (::access(program[0].c_str(), X_OK) != 0) {
    return fail(ErrorCode::kUnavailable, "there is no worker program at {}; build or install Ordo again",
                program[0]);
  }
  ORDO_TRY_ASSIGN(const Sockets sockets, makeSockets());
  // Out of the way of the standard streams, which may be closed here and are replaced below.
  const int control = ::fcntl(sockets.theirs, F_DUPFD_CLOEXEC, 3);
  ::close(sockets.theirs);
  std::vector<std::string> words = program;
  words.push_back("--control-fd");
  words.push_back(std::to_string(control));
  const std::vector<char*> argv = pointers(words);
  const bool quiet = std::getenv("ORDO_DEBUG") == nullptr;
  // Ctrl-C must not reach the child before it has learnt to ignore it; see zygoteMain().
  sigset_t group, before;
  ::sigemptyset(&group);
  for (const int signal : kGroupSignals) ::sigaddset(&group, signal);
  ::pthread_sigmask(SIG_BLOCK, &group, &before);
  const pid_t coordinator = ::getpid();
  const pid_t pid = ::fork();
  if (pid != 0) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid == 0) {
    // From here on, and not from when its program has begun: who is stopped meanwhile learns of our end, too.
    ::prctl(PR_SET_PDEATHSIG, SIGCONT);
    if (::getppid() != coordinator) ::_exit(127);
    ignoreGroupSignals();
    ::fcntl(control, F_SETFD, 0);  // survives exec
    // Passes may print; nothing of it belongs on the user's terminal.
    if (const int null = quiet ? ::open("/dev/null", O_RDWR) : -1; null >= 0) {
      ::dup2(null, 0);
      ::dup2(null, 1);
      ::dup2(null, 2);
    }
    setSoftLimit(RLIMIT_STACK, std::size_t{64} << 20);  // passes recurse deeply on large functions
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  const int error = errno;
  ::close(control);
  if (pid < 0) {
    ::close(sockets.ours);
    return fail(ErrorCode::kUnavailable, "cannot fork: {}", std::strerror(error));
  }
  return Helper{sockets.ours, pid, processDescriptor(pid)};
}

Result<std::unique_ptr<Zygote>> Zygote::start(const std::vector<std::string>& program) {
  ORDO_TRY_ASSIGN(Bell::Created bell, Bell::create());
  std::unique_ptr<Zygote> zygote(new Zygote(program, std::move(bell)));
  ORDO_TRY_ASSIGN(const Helper helper, launch(program));
  ORDO_TRY(zygote->adopt(helper));
  return zygote;
}

Result<std::unique_ptr<Zygote>> Zygote::forkHere(const ServiceFactory& factory) {
  ORDO_TRY_ASSIGN(Bell::Created bell, Bell::create());
  std::unique_ptr<Zygote> zygote(new Zygote({}, std::move(bell)));
  ORDO_TRY_ASSIGN(const Sockets sockets, makeSockets());
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(sockets.ours);
    zygoteMain(sockets.theirs, factory);
  }
  const int error = errno;
  ::close(sockets.theirs);
  if (pid < 0) {
    ::close(sockets.ours);
    return fail(ErrorCode::kUnavailable, "cannot fork: {}", std::strerror(error));
  }
  ORDO_TRY(zygote->adopt({sockets.ours, pid, processDescriptor(pid)}));
  return zygote;
}

Status Zygote::adopt(const Helper& helper) {
  helper_ = helper;
  owner_ = ::getpid();
  if (helper_.pidfd < 0) {
    const int error = errno;
    ::kill(helper_.pid, SIGKILL);  // our child, not waited for yet: the number is still its own
    bury();
    return fail(ErrorCode::kUnavailable, "cannot watch a process: {}", std::strerror(error));
  }
  // One that is gone already is noticed at the first spawn().
  const Greeting greeting;
  sendWithFd(helper_.control, &greeting, sizeof greeting, bell_fd_);
  return {};
}

Zygote::Zygote(std::vector<std::string> program, Bell::Created bell)
    : program_(std::move(program)), bell_(std::move(bell.bell)), bell_fd_(bell.fd) {}

Zygote::~Zygote() {
  bury();
  ::close(bell_fd_);
}

bool Zygote::isOurs() const { return owner_ == ::getpid(); }

bool Zygote::running() const {
  if (helper_.control < 0 || !isOurs()) return false;
  pollfd events[2] = {{helper_.control, 0, 0}, {helper_.pidfd, POLLIN, 0}};
  return ::poll(events, 2, 0) == 0;
}

bool Zygote::alive() const {
  const std::lock_guard lock(mutex_);
  return running();
}

int Zygote::pid() const {
  const std::lock_guard lock(mutex_);
  return helper_.pid;
}

double Zygote::replacedCpuSeconds() const {
  const std::lock_guard lock(mutex_);
  return replaced_cpu_s_;
}

void Zygote::bury() {
  if (helper_.control < 0) return;
  // A message without a channel: it is to end its workers and then itself. So does the end of the socket, but
  // a process that was forked from this one may have that, too.
  if (isOurs()) {
    const Limits none;
    sendWithFd(helper_.control, &none, sizeof none, -1);
  }
  ::close(helper_.control);
  if (isOurs()) {
    // By its descriptor: if somebody else here waits for all children, its number may be another's by now.
    const bool left = helper_.pidfd >= 0 && leaves(helper_.pidfd);
    if (helper_.pidfd >= 0 && !left) ::syscall(SYS_pidfd_send_signal, helper_.pidfd, SIGKILL, nullptr, 0);
    rusage usage{};
    if (const std::optional<int> status = awaitEnd(helper_.pid, &usage)) {
      ending_ = endingOf(*status);
      replaced_cpu_s_ += cpuSeconds(usage.ru_utime) + cpuSeconds(usage.ru_stime);
    }
  }
  if (helper_.pidfd >= 0) ::close(helper_.pidfd);
  helper_ = {};
}

Status Zygote::ensure() {
  if (running()) return {};
  const bool inherited = !isOurs();
  bury();
  if (program_.empty()) {
    return fail(ErrorCode::kUnavailable, "the helper process that starts workers {}",
                ending_.empty() ? "belongs to another process" : ending_);
  }
  if (inherited) {
    // The bell of the process that we were forked from wakes that one.
    ORDO_TRY_ASSIGN(Bell::Created bell, Bell::create());
    bell_ = std::move(bell.bell);
    ::close(std::exchange(bell_fd_, bell.fd));
  }
  ORDO_TRY_ASSIGN(const Helper helper, launch(program_));
  return adopt(helper);
}

bool Zygote::answers() {
  double silence_s = 0, stopped_s = 0;
  for (;;) {
    pollfd event{helper_.control, POLLIN, 0};
    const int ready = ::poll(&event, 1, kLookMs);
    if (ready > 0) return (event.revents & POLLIN) != 0;
    // Counted in looks: while we are stopped ourselves, nobody is silent.
    silence_s += kLookMs * 1e-3;
    stopped_s = isStopped(helper_.pid) ? stopped_s + kLookMs * 1e-3 : 0;
    if (silence_s < kSilence && stopped_s < kZygoteStopped) continue;
    bury();
    ending_ = stopped_s >= kZygoteStopped ? "was stopped by a signal"
                                          : fmt::format("did not answer for {:.0f} s", silence_s);
    return false;
  }
}

Result<std::unique_ptr<Worker>> Zygote::spawn(const Limits& limits) {
  const std::lock_guard lock(mutex_);
  for (int tries = 0; tries < kTries; ++tries) {
    ORDO_TRY(ensure());
    ORDO_TRY_ASSIGN(Channel::Created created, Channel::create());
    SpawnReply reply{};
    int pidfd = -1;
    const bool answered = sendWithFd(helper_.control, &limits, sizeof limits, created.fd) && answers() &&
                          receiveWithFd(helper_.control, &reply, sizeof reply, pidfd);
    ::close(created.fd);
    if (!answered) {
      bury();
      continue;
    }
    if (reply.pid < 0)
      return fail(ErrorCode::kUnavailable, "cannot fork a worker: {}", std::strerror(-reply.pid));
    if (pidfd < 0) {
      // There is a worker, but no room here for its descriptor: all descriptors are in use.
      created.channel.header().request.store(kLeaveRequest);
      wake(created.channel.header().request);
      return fail(ErrorCode::kUnavailable, "cannot hold another worker: {}", std::strerror(EMFILE));
    }
    return std::make_unique<Worker>(std::move(created.channel), pidfd, reply.pid, limits);
  }
  return fail(ErrorCode::kUnavailable,
              "the helper process that starts workers {}; set ORDO_DEBUG=1 to see what it says", ending_);
}

}  // namespace ordo::sandbox
