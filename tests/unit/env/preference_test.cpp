#include "env/preference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/rng.h"
#include "tests/fakes/toy_session.h"

namespace ordo::env {
namespace {

using ::testing::HasSubstr;

Preference parsed(std::string_view text) {
  const Result<Preference> preference = parsePreference(text);
  EXPECT_TRUE(preference) << text;
  return preference ? *preference : Preference{};
}

TEST(PreferenceTest, AMetricAloneIsWhatItSays) {
  const Preference preference = parsed("text_bytes");
  EXPECT_TRUE(preference.single());
  EXPECT_EQ(preference.parts.front().metric, "text_bytes");
  EXPECT_EQ(preference.parts.front().weight, 1);
  EXPECT_EQ(preference.value(std::array{123.0}), 123);
}

TEST(PreferenceTest, WeightsAreSharesOfTheirSum) {
  const Preference preference = parsed("a=3+b=1");
  ASSERT_EQ(preference.parts.size(), 2u);
  EXPECT_EQ(preference.parts[0].metric, "a");
  EXPECT_DOUBLE_EQ(preference.parts[0].weight, 0.75);
  EXPECT_EQ(preference.parts[1].metric, "b");
  EXPECT_DOUBLE_EQ(preference.parts[1].weight, 0.25);
}

TEST(PreferenceTest, WhatIsNoObjectiveIsRefusedAndSaysHow) {
  for (const char* text : {"", "=", "+", "a=", "=1", "a+b", "a=1+", "+a=1", "a=1++b=1", "a=0+b=1", "a=-1+b=2",
                           "a=x+b=1", "a=1x+b=1", "a=inf+b=1", "a=nan+b=1", "a=1e300+b=1", "a=1=2", "a=1"}) {
    const Result<Preference> preference = parsePreference(text);
    ASSERT_FALSE(preference) << text;
    EXPECT_EQ(preference.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(preference.error().message, HasSubstr("write METRIC, or METRIC=0.7+METRIC=0.3")) << text;
  }
  EXPECT_EQ(parsePreference("a=1+b=2+a=3").error().message, "the objective 'a=1+b=2+a=3' has a twice");
}

// Whatever the units and the weights, the ratio to a baseline is the weighted geometric mean of the ratios.
TEST(PreferenceTest, RatiosAreWeightedGeometricMeansOfRatios) {
  Rng rng(7);
  for (int i = 0; i < 100; ++i) {
    const double weight = 0.01 + 0.98 * rng.uniform();
    const Preference preference = parsed(fmt::format("a={}+b={}", weight, 1 - weight));
    const std::array base{1 + 1e6 * rng.uniform(), 1 + 1e3 * rng.uniform()};
    const std::array now{base[0] * (0.5 + rng.uniform()), base[1] * (0.5 + rng.uniform())};
    const double expected =
        std::exp(weight * std::log(now[0] / base[0]) + (1 - weight) * std::log(now[1] / base[1]));
    EXPECT_NEAR(preference.value(now) / preference.value(base), expected, 1e-12);
  }
  EXPECT_EQ(parsed("a=1+b=1").value(std::array{0.0, 5.0}), 0) << "nothing is as small as it gets";
}

TEST(PreferenceTest, MeasuresAllOrSaysWhatCannotBe) {
  fakes::ToyBackend backend;
  const auto session = backend.open(fakes::toySpec(100, {"dec", "poison"}));
  ASSERT_TRUE(session);
  const double cost = (*session)->measure("cost")->value;
  const auto both = parsed("count=1+cost=1").measure(**session);
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_DOUBLE_EQ(both->value, std::sqrt(100 * cost));
  EXPECT_EQ(parsed("count").measure(**session)->value, 100);
  EXPECT_FALSE(parsed("count=1+beauty=1").measure(**session));
  ASSERT_TRUE((*session)->apply(std::array<ActionIndex, 1>{1}));
  const auto refused = parsed("count=1+cost=1").measure(**session);
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->ok());
}

}  // namespace
}  // namespace ordo::env
