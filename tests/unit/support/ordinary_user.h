// Permissions do not stop root, and tests often run as root.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace ordo {

// Whether `claim` holds for an ordinary user, tried in a process of its own.
inline bool holdsForAnOrdinaryUser(const std::function<bool()>& claim) {
  constexpr unsigned kNobody = 65534;
  const pid_t child = ::fork();
  if (child == 0) {
    const bool ordinary = ::geteuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
    ::_exit(ordinary && claim() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace ordo
