// The controller writes a byte for each sign of life, and closes the pipe as it ends, however it ends; a
// goodbye before that says that there is nothing to do. What the pipe still holds tells whether the watchdog
// listens.
#include "loop/service/watchdog.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ordo::loop {
namespace {

// Ten minutes. A balancer that is gone for longer comes back with what its file says.
constexpr unsigned kMostTries = 3000;
constexpr int kPauseMs = 200;
constexpr char kBeat = 'a', kParting = 'g';
constexpr double kPartingSeconds = 2;

enum class Heard { kAlive, kGoodbye, kEnd, kNothing };

// The last that was said within so long; less than 0 is for ever.
Heard hear(int pipe, int timeout_ms) {
  pollfd ready{.fd = pipe, .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, timeout_ms) <= 0) return Heard::kNothing;
  char buffer[256];
  const ssize_t size = ::read(pipe, buffer, sizeof buffer);
  if (size == 0) return Heard::kEnd;
  if (size < 0) return Heard::kNothing;
  return buffer[size - 1] == kParting ? Heard::kGoodbye : Heard::kAlive;
}

[[noreturn]] void watch(int pipe, double seconds, const std::function<bool()>& withdraw) {
  // A terminal's Ctrl-C and the end of a session are for the controller, whose end this has to outlive; and
  // so is who reads what that says until its end.
  ::setsid();
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(each, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int each : {0, 1, 2}) ::dup2(nothing, each);
  const auto silence_ms = static_cast<int>(std::min(seconds, 86400.0) * 1000);
  for (bool withdrawn = false;;) {
    const auto asked = std::chrono::steady_clock::now();
    Heard heard = hear(pipe, withdrawn ? -1 : silence_ms);
    // Woken by a signal: nothing has run out.
    const std::chrono::duration<double, std::milli> waited = std::chrono::steady_clock::now() - asked;
    if (heard == Heard::kNothing && (withdrawn || waited.count() < silence_ms)) continue;
    for (unsigned tries = 0; heard != Heard::kAlive && heard != Heard::kGoodbye; ++tries) {
      withdrawn = withdraw();
      if (withdrawn || tries == kMostTries) {
        if (heard == Heard::kEnd) ::_exit(0);
        withdrawn = true;
        break;
      }
      // One that is dead says nothing more; one that hung may be back.
      if (heard == Heard::kEnd)
        ::usleep(1000 * kPauseMs);
      else
        heard = hear(pipe, kPauseMs);
    }
    if (heard == Heard::kGoodbye) ::_exit(0);
    if (heard == Heard::kAlive) withdrawn = false;
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
  return Watchdog(Descriptor(ends[1]), pid, seconds);
}

void Watchdog::alive() {
  // What is said now it cannot have heard yet.
  if (hasHeardAll()) heard_ = Clock::now();
  if (pipe_.isOpen()) static_cast<void>(::write(pipe_.get(), &kBeat, 1) + 0);
}

bool Watchdog::watches() {
  if (ends(0)) return false;
  if (hasHeardAll() || Clock::now() - heard_ <= std::chrono::duration<double>(2 * seconds_)) return true;
  ::kill(pid_, SIGKILL);
  static_cast<void>(ends(kPartingSeconds));
  return false;
}

bool Watchdog::hasHeardAll() const {
  int unheard = 0;
  return ::ioctl(pipe_.get(), FIONREAD, &unheard) == 0 && unheard == 0;
}

bool Watchdog::ends(double seconds) {
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  while (pid_ >= 0) {
    const pid_t ended = ::waitpid(pid_, nullptr, WNOHANG);
    if (ended == pid_ || (ended < 0 && errno != EINTR)) {
      pid_ = -1;
    } else if (Clock::now() >= until) {
      return false;
    } else {
      ::usleep(2000);
    }
  }
  return true;
}

Watchdog::~Watchdog() {
  if (pid_ < 0) return;
  if (released_) static_cast<void>(::write(pipe_.get(), &kParting, 1) + 0);
  pipe_.close();
  // One that was stopped hears no goodbye, and would be left behind.
  if (ends(kPartingSeconds) || !released_) return;
  ::kill(pid_, SIGKILL);
  static_cast<void>(ends(kPartingSeconds));
}

}  // namespace ordo::loop
