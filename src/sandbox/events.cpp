#include "sandbox/events.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>

namespace ordo::sandbox {
namespace {

// How the kernel names an event.
struct Code {
  std::uint32_t type;
  std::uint64_t config;
};

constexpr Code cache(std::uint64_t which, std::uint64_t operation, std::uint64_t result) {
  return {PERF_TYPE_HW_CACHE, which | operation << 8 | result << 16};
}

// In the order of Event.
constexpr std::array<Code, kEvents> kCodes{{
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    cache(PERF_COUNT_HW_CACHE_L1I, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS),
    cache(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS),
    cache(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_ACCESS),
    cache(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS),
    cache(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_OP_WRITE, PERF_COUNT_HW_CACHE_RESULT_MISS),
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
}};

Descriptor open(const Code& code, pid_t pid) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = code.type;
  attributes.config = code.config;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attributes.disabled = 1;
  attributes.enable_on_exec = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return Descriptor(
      static_cast<int>(::syscall(SYS_perf_event_open, &attributes, pid, -1, -1, PERF_FLAG_FD_CLOEXEC)));
}

std::optional<std::uint64_t> counted(const Descriptor& counter) {
  struct {
    std::uint64_t value, enabled_ns, running_ns;
  } got{};
  if (!counter.isOpen() || ::read(counter.get(), &got, sizeof got) != sizeof got) return std::nullopt;
  if (got.running_ns == got.enabled_ns) return got.value;
  if (got.running_ns == 0) return std::nullopt;  // its turn never came
  const double share = static_cast<double>(got.enabled_ns) / static_cast<double>(got.running_ns);
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(got.value) * share));
}

}  // namespace

EventCounters::EventCounters(pid_t pid, bool all) {
  const std::size_t count = all ? kEvents : static_cast<std::size_t>(Event::kInstructions) + 1;
  for (std::size_t i = 0; i < count; ++i) counters_[i] = open(kCodes[i], pid);
}

EventCounts EventCounters::read() const {
  EventCounts counts;
  for (std::size_t i = 0; i < kEvents; ++i) counts[i] = counted(counters_[i]);
  return counts;
}

}  // namespace ordo::sandbox
