// What a processor counts while a program runs: hardware events by perf_event_open, in user mode. Most
// virtual machines count none.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>

#include "support/child.h"

namespace ordo::sandbox {

enum class Event : std::uint8_t {
  kCycles,
  kInstructions,
  kBranches,
  kBranchMisses,
  kL1iMisses,  // of reads
  kL1dReads,
  kL1dWrites,
  kL1dReadMisses,
  kL1dWriteMisses,
  kLlcReferences,
  kLlcMisses,
};
inline constexpr std::size_t kEvents = 11;

// One number for each event; nothing where it was not counted.
using EventCounts = std::array<std::optional<std::uint64_t>, kEvents>;

inline const std::optional<std::uint64_t>& countOf(const EventCounts& counts, Event event) {
  return counts[static_cast<std::size_t>(event)];
}

// Counters of one process and of what it starts, from its next exec on. One thread at a time.
class EventCounters {
 public:
  // Of all events, or of cycles and instructions only. What this machine does not count is left out. A
  // processor has a handful of counters: with all events they take turns, and read() says what a whole run
  // would have had at the rate that was seen.
  EventCounters(pid_t pid, bool all);

  EventCounts read() const;

 private:
  std::array<Descriptor, kEvents> counters_;
};

}  // namespace ordo::sandbox
