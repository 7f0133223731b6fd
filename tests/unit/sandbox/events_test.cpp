#include "sandbox/events.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ordo::sandbox {
namespace {

TEST(EventCountersTest, CyclesAndInstructionsAreCountedUnlessAllAreAskedFor) {
  const EventCounts counts = EventCounters(::getpid(), false).read();
  for (std::size_t i = static_cast<std::size_t>(Event::kBranches); i < kEvents; ++i) EXPECT_FALSE(counts[i]);
}

TEST(EventCountersTest, BeforeItsExecAProcessHasCountedNothing) {
  // On a machine without counters there is no number at all, which is not 0.
  for (const std::optional<std::uint64_t>& count : EventCounters(::getpid(), true).read())
    EXPECT_EQ(count.value_or(0), 0u);
}

}  // namespace
}  // namespace ordo::sandbox
