// The zygote's side: one process that pays for initialisation once and forks workers on request.
//
// Its loop waits for three things: a request for a worker on the control socket (answered with the
// worker's process descriptor), the death of a worker (written into that worker's channel, which
// wakes whoever waits for its reply), and the end of the coordinator. End of file on the socket is not
// enough for the last: a process that was forked from the coordinator has the socket too.
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
#include <map>
#include <new>

#include "sandbox/handover.h"
#include "sandbox/worker.h"
#include "support/own_limits.h"

namespace ordo::sandbox {
namespace {

// The channel of this process, if it is a worker.
ChannelHeader* g_header = nullptr;

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

// A descriptor of the process that made the socket, readable at its end; -1 where there is none. Leaves if it
// has ended already.
int watchCoordinator(int control_fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(control_fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0) return -1;
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, peer.pid, 0));
  if (pidfd < 0 && errno == ESRCH) ::_exit(0);
  return pidfd;
}

// Ends the workers first, so that what they have used counts as ours, and for whoever waits for us as its
// own.
[[noreturn]] void leave(const std::map<pid_t, Channel>& channels) {
  for (const auto& [pid, channel] : channels) ::kill(pid, SIGKILL);
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
  ::_exit(0);
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
  ignoreGroupSignals();
  // Should somebody have stopped us by then, we still learn of the coordinator's end.
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);
  const int coordinator = watchCoordinator(control_fd);
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
    pollfd events[3] = {{control_fd, POLLIN, 0}, {deaths, POLLIN, 0}, {coordinator, POLLIN, 0}};
    if (::poll(events, 3, -1) < 0 && errno != EINTR) ::_exit(1);
    if (events[2].revents != 0) leave(channels);

    if (events[1].revents != 0) {
      signalfd_siginfo info;
      while (::read(deaths, &info, sizeof info) > 0) {
      }
      int status = 0;
      rusage usage{};
      for (pid_t pid; (pid = ::wait4(-1, &status, WNOHANG, &usage)) > 0;) {
        const auto channel = channels.find(pid);
        if (channel == channels.end()) continue;
        ChannelHeader& header = channel->second.header();
        header.wait_status.store(status);
        header.peak_bytes.store(static_cast<std::uint64_t>(usage.ru_maxrss) << 10);
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
    if (!receiveWithFd(control_fd, &limits, sizeof limits, memory) || memory < 0) leave(channels);
    Result<Channel> channel = Channel::map(memory);
    ::close(memory);
    const pid_t pid = channel ? ::fork() : -1;
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != zygote) ::_exit(0);  // it died between fork and prctl
      ::close(control_fd);
      ::close(deaths);
      if (coordinator >= 0) ::close(coordinator);
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

}  // namespace ordo::sandbox
