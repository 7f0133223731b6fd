#include "sandbox/keeper.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>

namespace ordo::sandbox {
namespace {

constexpr std::size_t kGroups = 1024;  // more than any machine runs programs at once

// The keeper itself, forked from a process with threads: only async-signal-safe calls. It reads groups, and
// negative ones that are done, until nobody is left to write, or `owner` has ended: a process that was forked
// from it may have the other end too.
[[noreturn]] void keep(int socket, pid_t owner) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  ::setsid();
  // Should somebody have stopped it by then.
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);
  ::prctl(PR_SET_NAME, "ordo-keeper");
  // It holds on to nothing of ours: no locks, no pipes that somebody reads to the end, no folder.
  if (::dup2(socket, 0) != 0 || ::syscall(SYS_close_range, 1, ~0u, 0) != 0 || ::chdir("/") != 0) ::_exit(1);
  const int end = static_cast<int>(::syscall(SYS_pidfd_open, owner, 0));
  const int wait = ::getppid() == owner ? -1 : 0;  // it has ended already
  std::array<pid_t, kGroups> groups{};
  for (;;) {
    pollfd events[2] = {{0, POLLIN, 0}, {end, POLLIN, 0}};
    if (::poll(events, 2, wait) < 0) continue;
    // What was said is heard before the end counts.
    pid_t told = 0;
    if (events[0].revents == 0) break;
    if (::recv(0, &told, sizeof told, MSG_DONTWAIT) != sizeof told) break;
    for (pid_t& group : groups) {
      if (group != (told > 0 ? 0 : -told)) continue;
      group = told > 0 ? told : 0;
      break;
    }
  }
  for (const pid_t group : groups) {
    if (group > 0) ::kill(-group, SIGKILL);
  }
  ::_exit(0);
}

// What this process has of its keeper. One that was forked from it starts with nothing.
struct Keeping {
  pid_t owner = 0;
  int socket = -1;
  std::set<pid_t> groups;

  bool send(pid_t told) const {
    return ::send(socket, &told, sizeof told, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof told);
  }

  void letGo() {
    if (socket >= 0) ::close(socket);
    socket = -1;
  }

  bool start() {
    letGo();
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
    const pid_t keeper = ::fork();
    if (keeper == 0) keep(ends[1], owner);
    ::close(ends[1]);
    socket = ends[0];
    if (keeper < 0) letGo();
    return keeper >= 0 &&
           std::all_of(groups.begin(), groups.end(), [this](pid_t group) { return send(group); });
  }
};

// Tells the keeper, which is started if this process has none, or none any more.
void tell(pid_t told) {
  static std::mutex mutex;
  static Keeping keeping;
  const std::lock_guard lock(mutex);
  if (keeping.owner != ::getpid()) {
    keeping.letGo();
    keeping.groups.clear();
    keeping.owner = ::getpid();
  }
  if (told > 0)
    keeping.groups.insert(told);
  else
    keeping.groups.erase(-told);
  // The first one starts it; a second try is for one that was killed.
  if (keeping.socket < 0 || !keeping.send(told)) static_cast<void>(keeping.start());
}

}  // namespace

Kept::Kept(pid_t group) : group_(group), owner_(::getpid()) { tell(group_); }

Kept::~Kept() {
  if (owner_ == ::getpid()) tell(-group_);
}

}  // namespace ordo::sandbox
