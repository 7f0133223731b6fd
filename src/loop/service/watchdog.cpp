#include "loop/service/watchdog.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ordo::loop {
namespace {

// Ten minutes. A balancer that is gone for longer comes back with what its file says.
constexpr unsigned kMostTries = 3000, kPauseUs = 200'000;
constexpr char kAlive = 'a', kGoodbye = 'g';

[[noreturn]] void watch(int pipe, double seconds, const std::function<bool()>& withdraw) {
  // A terminal's Ctrl-C and the end of a session are for the controller, whose end this has to outlive.
  ::setsid();
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(each, SIG_IGN);
  for (bool withdrawn = false;;) {
    pollfd ready{.fd = pipe, .events = POLLIN, .revents = 0};
    const int came = ::poll(&ready, 1, withdrawn ? -1 : static_cast<int>(seconds * 1000));
    if (came < 0 && errno == EINTR) continue;
    char last = 0;
    char buffer[256];
    const ssize_t size = came > 0 ? ::read(pipe, buffer, sizeof buffer) : -1;
    if (size > 0) last = buffer[size - 1];
    if (last == kGoodbye) ::_exit(0);
    if (last == kAlive) {
      withdrawn = false;
      continue;
    }
    for (unsigned tries = 0; !withdraw() && tries < kMostTries; ++tries) ::usleep(kPauseUs);
    withdrawn = true;
    if (size == 0) ::_exit(0);  // the controller is dead
  }
}

}  // namespace

Result<Watchdog> Watchdog::start(double seconds, std::function<bool()> withdraw) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorCode::kUnavailable, "no pipe: {}", std::strerror(errno));
  const pid_t pid = ::fork();
  if (pid < 0) {
    const int reason = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    return fail(ErrorCode::kUnavailable, "no watchdog: {}", std::strerror(reason));
  }
  if (pid == 0) {
    ::close(ends[1]);
    watch(ends[0], seconds, withdraw);
  }
  ::close(ends[0]);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  return Watchdog(Descriptor(ends[1]), pid);
}

void Watchdog::alive() const {
  if (pipe_.isOpen()) static_cast<void>(::write(pipe_.get(), &kAlive, 1) + 0);
}

Watchdog::~Watchdog() {
  if (pid_ < 0) return;
  static_cast<void>(::write(pipe_.get(), &kGoodbye, 1) + 0);
  pipe_.close();
  ::waitpid(pid_, nullptr, 0);
}

}  // namespace ordo::loop
