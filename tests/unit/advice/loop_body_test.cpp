#include "advice/loop_body.h"

#include <gtest/gtest.h>

#include <array>

namespace ordo::advice {
namespace {

TEST(LoopBodyTest, PicksByWeight) {
  Rng rng(1);
  std::array<int, 3> picked{};
  for (int i = 0; i < 4000; ++i) ++picked[pickBy(rng, {1, 0, 3})];
  EXPECT_NEAR(picked[0], 1000, 150);
  EXPECT_EQ(picked[1], 0);
}

TEST(LoopBodyTest, PlainOnesAreShorter) {
  std::size_t any = 0, plain = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Rng rng(i);
    any += loopBody(rng, false).text.size();
    plain += loopBody(rng, true).text.size();
  }
  EXPECT_LT(plain, any);
}

// dot_i8, count_bytes and max_i32 of bench/loops/, among others.
TEST(LoopBodyTest, NoneIsAKernelThatIsHeldOut) {
  for (std::uint64_t i = 0; i < 3000; ++i) {
    Rng rng(i);
    const LoopBody body = loopBody(rng, true);
    if (body.way != Way::kNext || body.is_float) continue;
    const bool bytes = kTypes[body.loads[0]].bits == 8;
    const bool same = body.loads.size() < 2 || kTypes[body.loads[1]].bits == kTypes[body.loads[0]].bits;
    const bool out32 = kTypes[body.out].bits == 32;
    if (body.sink == Sink::kCount && body.loads.size() == 1) {
      EXPECT_FALSE(bytes && out32) << body.text;
    }
    if (body.sink == Sink::kReduce && body.reduction == 0 && body.loads.size() == 2 && bytes && same &&
        out32) {
      EXPECT_EQ(body.text.find("t2 = (i32)(t0 * t1);\n    s += t2"), std::string::npos) << body.text;
    }
  }
}

}  // namespace
}  // namespace ordo::advice
