#include "env/advisor.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/fakes/advisor_conformance.h"
#include "tests/fakes/toy_advisor.h"

namespace ordo::env {
namespace {

TEST(AdvisorTest, TheToyKeepsThePromises) {
  fakes::ToyAdvisor toy;
  fakes::expectConformance(toy);
}

TEST(AdvisorTest, AQuestionFitsItsDecision) {
  const DecisionSpec spec{"d", 1, {"a", "b"}, {"no", "yes"}};
  const std::vector<float> two{1, 2}, one{1}, infinite{1, std::numeric_limits<float>::infinity()};
  const std::vector<std::uint8_t> both{1, 1}, first{1, 0}, three{1, 1, 1};
  EXPECT_TRUE(fits(spec, {two, both, 1}));
  EXPECT_TRUE(fits(spec, {two, first, 0}));
  EXPECT_FALSE(fits(spec, {two, first, 1})) << "the usual answer is not allowed";
  EXPECT_FALSE(fits(spec, {two, both, 2}));
  EXPECT_FALSE(fits(spec, {one, both, 0}));
  EXPECT_FALSE(fits(spec, {infinite, both, 0}));
  EXPECT_FALSE(fits(spec, {two, three, 0}));
}

}  // namespace
}  // namespace ordo::env
