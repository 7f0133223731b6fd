#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

TEST(AutophaseNormTest, DividesByTheInstructionsAndStaysBelowOne) {
  const auto module = parseText(R"(
declare void @g()
declare void @h()
define void @f(i32 %x) {
  switch i32 %x, label %end [ i32 0, label %end
                              i32 1, label %end
                              i32 2, label %end ]
end:
  call void @g()
  ret void
})");
  const auto shares = named<float>("autophase_norm", *module);
  EXPECT_EQ(shares.size(), 56u);
  EXPECT_EQ(shares.at("TotalInsts"), 1.0f);
  EXPECT_EQ(shares.at("NumCallInst"), static_cast<float>(1.0 / 3));
  EXPECT_EQ(shares.at("TotalBlocks"), static_cast<float>(2.0 / 3));
  EXPECT_EQ(shares.at("NumAddInst"), 0.0f);
  EXPECT_EQ(shares.at("NumEdges"), 1.0f) << "4 edges of 3 instructions";
  EXPECT_EQ(shares.at("TotalFuncs"), 1.0f);
}

TEST(AutophaseNormTest, WithoutInstructionsAllElementsAreZero) {
  for (const auto& [name, share] : named<float>("autophase_norm", *parseText("declare void @f()"))) {
    EXPECT_EQ(share, 0.0f) << name;
  }
}

}  // namespace
}  // namespace ordo::features
