#include "mlir/lowering/guarded.h"

#include <gtest/gtest.h>

namespace ordo::lowering {
namespace {

TEST(Guarded, EndsWhereNobodyMayWrite) {
  for (const std::size_t bytes : {0, 1, 63, 64, 4096, 5000}) {
    Guarded memory = *Guarded::create(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data() + bytes) % 4096, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.aligned()) % 64, 0u);
    EXPECT_LT(memory.data() - memory.aligned(), 64);
    std::fill_n(memory.data(), bytes, std::byte{1});
    EXPECT_TRUE(memory.intact());
    memory.data()[-1] = std::byte{1};
    EXPECT_FALSE(memory.intact());
    memory.paint();
    EXPECT_TRUE(memory.intact());
  }
}

TEST(Guarded, WhoWritesBehindItEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Guarded memory = *Guarded::create(100);
  EXPECT_DEATH(memory.data()[100] = std::byte{1}, "");
}

}  // namespace
}  // namespace ordo::lowering
