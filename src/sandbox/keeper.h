// What is left to do if we are killed: the kernel ends our children with us, but not the children of those.
#pragma once

#include <sys/types.h>

namespace ordo::sandbox {

// As long as it exists, its process group is ended (SIGKILL) should this process die, however that happens. A
// process of its own sees to that: the first Kept starts it, another is started if it was killed, and it
// leaves with us. Without such a process, where the system refuses one, nothing is promised. In a process
// that was forked from this one, a copy of a Kept does nothing. Thread-safe.
class Kept {
 public:
  explicit Kept(pid_t group);
  ~Kept();
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  const pid_t group_;
  const pid_t owner_;
};

}  // namespace ordo::sandbox
