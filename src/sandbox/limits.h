// What a worker process may use before it is ended, and while it waits.
#pragma once

#include <cstddef>

namespace ordo::sandbox {

// Times are those of one step of a call (see Service), so that what an action may use does not
// depend on how many others are sent with it; a call without steps is one step.
struct Limits {
  std::size_t memory_bytes = std::size_t{2} << 30;         // address space on top of what the zygote maps
  double cpu_s = 60;                                       // processor time; the kernel rounds up to seconds
  double wall_s = 60;                                      // wall clock (the watchdog)
  std::size_t recycle_rss_bytes = std::size_t{768} << 20;  // resident memory past which a worker is replaced
  // Whether it and its coordinator may keep processors busy for the moments in which they wait for each
  // other: right unless all processors have other work.
  bool spin = true;
};

}  // namespace ordo::sandbox
