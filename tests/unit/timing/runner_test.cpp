#include "timing/runner.h"

#include <gtest/gtest.h>

namespace ordo::timing {
namespace {

TEST(RunnerTest, QuantitiesAreKnownByName) {
  for (const Quantity quantity :
       {Quantity::kCpu, Quantity::kUser, Quantity::kWall, Quantity::kCycles, Quantity::kInstructions}) {
    EXPECT_EQ(parseQuantity(name(quantity)).value(), quantity);
  }
  const Result<Quantity> wrong = parseQuantity("cycle");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(wrong.error().message.find("did you mean 'cycles'"), std::string::npos) << wrong.error().message;
}

TEST(RunnerTest, AReadingHasWhatWasCounted) {
  const Reading reading{
      .cpu_s = 3, .user_s = 2, .wall_s = 4, .cycles = {}, .instructions = 7, .switches = 0, .failure = ""};
  EXPECT_EQ(reading.of(Quantity::kCpu), 3);
  EXPECT_EQ(reading.of(Quantity::kUser), 2);
  EXPECT_EQ(reading.of(Quantity::kWall), 4);
  EXPECT_EQ(reading.of(Quantity::kInstructions), 7);
  EXPECT_FALSE(reading.of(Quantity::kCycles));
}

}  // namespace
}  // namespace ordo::timing
