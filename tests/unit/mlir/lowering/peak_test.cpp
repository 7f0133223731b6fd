#include "mlir/lowering/peak.h"

#include <gtest/gtest.h>

namespace ordo::lowering {
namespace {

// No core of this age is below or above; a loop that was optimised away would be above.
TEST(PeakFlops, IsWhatACoreDoes) {
  EXPECT_GT(peakFlops(), 1e9);
  EXPECT_LT(peakFlops(), 1e12);
}

}  // namespace
}  // namespace ordo::lowering
