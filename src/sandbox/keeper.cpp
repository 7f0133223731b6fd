#include "sandbox/keeper.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <mutex>

namespace ordo::sandbox {
namespace {

constexpr std::size_t kGroups = 1024;  // more than any machine runs programs at once

// The keeper itself, forked from a process with threads: only async-signal-safe calls. It reads groups, and
// negative ones that are done, until nobody is left to write.
[[noreturn]] void keep(int socket) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  ::setsid();
  ::prctl(PR_SET_NAME, "ordo-keeper");
  // It holds on to nothing of ours: no locks, no pipes that somebody reads to the end, no folder.
  if (::dup2(socket, 0) != 0 || ::syscall(SYS_close_range, 1, ~0u, 0) != 0 || ::chdir("/") != 0) ::_exit(1);
  std::array<pid_t, kGroups> groups{};
  for (pid_t told = 0; ::recv(0, &told, sizeof told, 0) == sizeof told;) {
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

// Tells the keeper, which is started if this process has none: one that we were forked from has its own.
void tell(pid_t group) {
  static std::mutex mutex;
  static pid_t owner = 0;
  static int socket = -1;
  const std::lock_guard lock(mutex);
  if (owner != ::getpid()) {
    int ends[2];
    if (socket >= 0) ::close(socket);
    socket = -1;
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
    const pid_t keeper = ::fork();
    if (keeper == 0) keep(ends[1]);
    ::close(ends[1]);
    if (keeper < 0) {
      ::close(ends[0]);
      return;
    }
    owner = ::getpid();
    socket = ends[0];
  }
  [[maybe_unused]] const ssize_t sent = ::send(socket, &group, sizeof group, MSG_NOSIGNAL);
}

}  // namespace

Kept::Kept(pid_t group) : group_(group) { tell(group_); }

Kept::~Kept() { tell(-group_); }

}  // namespace ordo::sandbox
