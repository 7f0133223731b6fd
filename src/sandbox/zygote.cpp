// The zygote: one process that pays for initialisation once and forks workers on request.
//
// Its loop waits for two things: a request for a worker on the control socket (answered with the
// worker's process descriptor) and the death of a worker (written into that worker's channel, which
// wakes whoever waits for its reply). End of file on the socket means that the coordinator is gone.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <new>

#include "sandbox/worker.h"
#include "support/own_limits.h"

namespace ordo::sandbox {
namespace {

// The channel of this process, if it is a worker.
ChannelHeader* g_header = nullptr;

// What a coordinator sends first, with the bell.
struct Greeting {
  std::uint32_t version = 1;
};

struct SpawnReply {
  std::int32_t pid;  // or -errno
};

// Sends `bytes` and, if fd >= 0, that descriptor.
bool sendWithFd(int socket, const void* bytes, std::size_t size, int fd) {
  iovec part{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  ssize_t n;
  do n = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(size);
}

// Receives one message; `fd` is -1 if it carried none. False at the end of the conversation.
bool receiveWithFd(int socket, void* bytes, std::size_t size, int& fd) {
  fd = -1;
  iovec part{bytes, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  do n = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n != static_cast<ssize_t>(size)) return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return true;
}

double cpuSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Sanitizers reserve terabytes of address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitMemory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kLimitMemory = false;
#else
constexpr bool kLimitMemory = true;
#endif
#else
constexpr bool kLimitMemory = true;
#endif

// Serves requests until killed.
[[noreturn]] void workerMain(Channel channel, const Bell& bell, const Limits& limits,
                             const ServiceFactory& factory) {
  ChannelHeader& header = channel.header();
  g_header = &header;
  if (kLimitMemory) setSoftLimit(RLIMIT_AS, mappedBytes() + limits.memory_bytes);
  std::set_new_handler([] {
    noteOutOfMemory();
    std::abort();
  });
  const std::unique_ptr<Service> service = factory();
  rlim_t cpu_limit = 0;
  const auto startStep = [&] {
    const auto limit = static_cast<rlim_t>(std::ceil(cpuSeconds() + limits.cpu_s));
    if (limit != cpu_limit) setSoftLimit(RLIMIT_CPU, cpu_limit = limit);
  };
  const std::function<void()> step = [&] {
    header.progress.fetch_add(1, std::memory_order_relaxed);
    startStep();
  };
  const std::span<std::byte> payload = channel.payload();
  std::uint32_t served = 0;
  Patience patience;
  Patience none = Patience::none();
  double sampled_cpu = 0;
  for (;;) {
    waitForChange(header.request, served, -1, header.spin.load() != 0 ? patience : none);
    served = header.request.load(std::memory_order_acquire);
    if (served == kLeaveRequest) ::_exit(0);
    header.taken.store(served);
    startStep();
    const std::size_t size = service->serve(payload.first(header.request_bytes.load()), payload, step);
    header.reply_bytes.store(static_cast<std::uint32_t>(size));
    // Reading statm costs about 10 µs: worth it only after real work.
    if (const double now = cpuSeconds(); now - sampled_cpu > 0.005) {
      header.rss_bytes.store(residentBytes());
      sampled_cpu = now;
    }
    header.reply.store(served, std::memory_order_release);
    wake(header.reply);
    bell.ring();
  }
}

}  // namespace

void lastWords(std::string_view message) {
  if (g_header == nullptr || g_header->last_words[0] != '\0') return;
  const std::size_t size = std::min(message.size(), sizeof g_header->last_words - 1);
  std::memcpy(g_header->last_words, message.data(), size);
}

void noteOutOfMemory() {
  if (g_header != nullptr) g_header->out_of_memory.store(1);
}

void zygoteMain(int control_fd, const ServiceFactory& factory) {
  sigset_t child_signal;
  ::sigemptyset(&child_signal);
  ::sigaddset(&child_signal, SIGCHLD);
  // Nothing of what the coordinator blocks or ignores is meant for us: above all, with SIGCHLD ignored
  // the kernel would bury workers without a word.
  ::sigprocmask(SIG_SETMASK, &child_signal, nullptr);
  ::signal(SIGCHLD, SIG_DFL);
  // Ctrl-C in the terminal is for the coordinator, which ends us when it is done.
  ::signal(SIGINT, SIG_IGN);
  const int deaths = ::signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const pid_t zygote = ::getpid();
  std::map<pid_t, Channel> channels;
  Greeting greeting;
  int bell_fd = -1;
  if (!receiveWithFd(control_fd, &greeting, sizeof greeting, bell_fd) || bell_fd < 0) ::_exit(0);
  const Result<Bell> bell = Bell::map(bell_fd);
  ::close(bell_fd);
  if (!bell) ::_exit(1);

  for (;;) {
    pollfd events[2] = {{control_fd, POLLIN, 0}, {deaths, POLLIN, 0}};
    if (::poll(events, 2, -1) < 0 && errno != EINTR) ::_exit(1);

    if (events[1].revents != 0) {
      signalfd_siginfo info;
      while (::read(deaths, &info, sizeof info) > 0) {
      }
      int status = 0;
      for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        const auto channel = channels.find(pid);
        if (channel == channels.end()) continue;
        ChannelHeader& header = channel->second.header();
        header.wait_status.store(status);
        header.ended.store(1);
        header.reply.store(kEndedReply, std::memory_order_release);
        wake(header.reply);
        bell->ring();
        channels.erase(channel);
      }
    }

    if (events[0].revents == 0) continue;
    Limits limits;
    int memory = -1;
    if (!receiveWithFd(control_fd, &limits, sizeof limits, memory) || memory < 0) ::_exit(0);
    Result<Channel> channel = Channel::map(memory);
    ::close(memory);
    const pid_t pid = channel ? ::fork() : -1;
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != zygote) ::_exit(0);  // it died between fork and prctl
      ::close(control_fd);
      ::close(deaths);
      channels.clear();
      ::sigprocmask(SIG_UNBLOCK, &child_signal, nullptr);
      workerMain(*std::move(channel), *bell, limits, factory);
    }
    SpawnReply reply{pid > 0 ? pid : channel ? -errno : -ENOMEM};
    const int pidfd = pid > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)) : -1;
    if (pid > 0) channels.emplace(pid, *std::move(channel));
    if (pid > 0 && pidfd < 0) {
      reply.pid = -errno;
      ::kill(pid, SIGKILL);  // our child, not waited for yet: the number is still its own
    }
    sendWithFd(control_fd, &reply, sizeof reply, pidfd);
    if (pidfd >= 0) ::close(pidfd);
  }
}

Result<std::unique_ptr<Zygote>> Zygote::start(const std::vector<std::string>& program) {
  if (::access(program[0].c_str(), X_OK) != 0) {
    return fail(ErrorCode::kUnavailable, "there is no worker program at {}; build or install Ordo again",
                program[0]);
  }
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return fail(ErrorCode::kUnavailable, "cannot create a socket: {}", std::strerror(errno));
  }
  // Out of the way of the standard streams, which may be closed here and are replaced below.
  const int control = ::fcntl(sockets[1], F_DUPFD_CLOEXEC, 3);
  ::close(sockets[1]);
  std::vector<std::string> words = program;
  words.push_back("--control-fd");
  words.push_back(std::to_string(control));
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const bool quiet = std::getenv("ORDO_DEBUG") == nullptr;
  // Ctrl-C must not reach the child before it has learnt to ignore it; see zygoteMain().
  sigset_t interrupt, before;
  ::sigemptyset(&interrupt);
  ::sigaddset(&interrupt, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &interrupt, &before);
  const pid_t pid = ::fork();
  if (pid != 0) ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid == 0) {
    ::signal(SIGINT, SIG_IGN);
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
  ::close(control);
  if (pid < 0) {
    ::close(sockets[0]);
    return fail(ErrorCode::kUnavailable, "cannot fork: {}", std::strerror(errno));
  }
  return greet(sockets[0], pid);
}

Result<std::unique_ptr<Zygote>> Zygote::forkHere(const ServiceFactory& factory) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return fail(ErrorCode::kUnavailable, "cannot create a socket: {}", std::strerror(errno));
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(sockets[0]);
    zygoteMain(sockets[1], factory);
  }
  ::close(sockets[1]);
  if (pid < 0) {
    ::close(sockets[0]);
    return fail(ErrorCode::kUnavailable, "cannot fork: {}", std::strerror(errno));
  }
  return greet(sockets[0], pid);
}

Result<std::unique_ptr<Zygote>> Zygote::greet(int control, int pid) {
  Result<Bell::Created> bell = Bell::create();
  if (!bell) {
    ::close(control);  // which ends the child
    ::waitpid(pid, nullptr, 0);
    return fail(std::move(bell).error());
  }
  // A child that is gone already is noticed at the first spawn().
  const Greeting greeting;
  sendWithFd(control, &greeting, sizeof greeting, bell->fd);
  ::close(bell->fd);
  return std::unique_ptr<Zygote>(new Zygote(control, pid, std::move(bell->bell)));
}

Zygote::~Zygote() {
  ::close(control_);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Zygote::alive() const {
  pollfd event{control_, 0, 0};
  return ::poll(&event, 1, 0) == 0 || (event.revents & (POLLHUP | POLLERR)) == 0;
}

Result<std::unique_ptr<Worker>> Zygote::spawn(const Limits& limits) {
  ORDO_TRY_ASSIGN(Channel::Created created, Channel::create());
  SpawnReply reply{};
  int pidfd = -1;
  bool answered = false;
  {
    const std::lock_guard lock(mutex_);
    answered = sendWithFd(control_, &limits, sizeof limits, created.fd) &&
               receiveWithFd(control_, &reply, sizeof reply, pidfd);
  }
  ::close(created.fd);
  if (!answered) {
    return fail(ErrorCode::kUnavailable,
                "the zygote of the workers is gone; set ORDO_DEBUG=1 to see what it says");
  }
  if (reply.pid < 0)
    return fail(ErrorCode::kUnavailable, "cannot fork a worker: {}", std::strerror(-reply.pid));
  if (pidfd < 0) {
    // There is a worker, but no room here for its descriptor: all descriptors are in use.
    created.channel.header().request.store(kLeaveRequest);
    wake(created.channel.header().request);
    return fail(ErrorCode::kUnavailable, "cannot hold another worker: {}", std::strerror(EMFILE));
  }
  return std::make_unique<Worker>(std::move(created.channel), pidfd, reply.pid, limits,
                                  [this] { return alive(); });
}

}  // namespace ordo::sandbox
