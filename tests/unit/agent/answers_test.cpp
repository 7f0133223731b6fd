#include "agent/answers.h"

#include <gtest/gtest.h>

#include <limits>

namespace ordo::agent {
namespace {

TEST(AnswersTest, WholeNumbersHaveNoPoint) {
  EXPECT_EQ(writeJson(number(169)), "169");
  EXPECT_EQ(writeJson(number(-2)), "-2");
  EXPECT_EQ(writeJson(number(0.5)), "0.5");
  EXPECT_EQ(writeJson(number(std::numeric_limits<double>::infinity())), "null") << "what JSON has not";
}

TEST(AnswersTest, FractionsAreRounded) {
  EXPECT_EQ(fraction(1.0 / 3), 0.333333);
  EXPECT_EQ(fraction(-0.0414201), -0.04142);
}

}  // namespace
}  // namespace ordo::agent
