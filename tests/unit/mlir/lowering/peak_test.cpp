#include "mlir/lowering/peak.h"

#include <gtest/gtest.h>

namespace ordo::lowering {
namespace {

// No core of this age is below or above; a loop that was optimised away would be above.
TEST(PeakFlops, IsWhatACoreDoes) {
  for (const std::int64_t bytes : {4, 8}) {
    EXPECT_GT(peakFlops(bytes), 5e8);
    EXPECT_LT(peakFlops(bytes), 1e12);
  }
}

}  // namespace
}  // namespace ordo::lowering
