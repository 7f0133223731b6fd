#include "engine/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fakes/toy_session.h"

namespace ordo::engine {
namespace {

using testing::HasSubstr;

env::BackendInfo info() {
  env::BackendInfo info;
  info.metrics = {{"count", "", true, ""}, {"cost", "", true, ""}, {"compile_ms", "ms", false, ""}};
  return info;
}

std::string refusal(const std::vector<std::string>& limits) {
  const Status status = checkLimits(info(), "count", limits);
  EXPECT_EQ(status ? ErrorCode::kInvalidArgument : status.error().code, ErrorCode::kInvalidArgument);
  return status ? "" : status.error().message;
}

TEST(LimitsTest, AreAbsoluteOrRelativeToTheBaseline) {
  EXPECT_EQ(parseLimit("text_bytes=20000")->most(100), 20000);
  EXPECT_DOUBLE_EQ(parseLimit("text_bytes=+5%")->most(100), 105);
  EXPECT_EQ(parseLimit("text_bytes=+0%")->most(100), 100);
  EXPECT_DOUBLE_EQ(parseLimit("text_bytes=-2.5%")->most(100), 97.5);
  EXPECT_EQ(parseLimit("text_bytes=+5%")->metric, "text_bytes");
  EXPECT_TRUE(std::isinf(parseLimit("code_bytes=any")->most(100)));
}

TEST(LimitsTest, WhatIsNoneIsRefusedWithHowItIsWritten) {
  for (const char* text : {"", "text_bytes", "text_bytes=", "=5", "text_bytes=5%", "text_bytes=+5",
                           "text_bytes=5x", "text_bytes=+%", "text_bytes=nan", "=any", "text_bytes=+any%",
                           "text_bytes=+inf%", "text_bytes=++5%"}) {
    const Result<AskedLimit> limit = parseLimit(text);
    ASSERT_FALSE(limit) << text;
    EXPECT_THAT(limit.error().message, HasSubstr("METRIC=+5%")) << text;
  }
}

TEST(LimitsTest, AreOfAnotherMetricThatIsTheSameEachTime) {
  EXPECT_EQ(refusal({"cost=5"}), "");
  EXPECT_THAT(refusal({"cots=5"}), HasSubstr("did you mean 'cost'?"));
  EXPECT_THAT(refusal({"count=5"}), HasSubstr("is the objective"));
  EXPECT_THAT(refusal({"cost=5", "cost=+1%"}), HasSubstr("has a limit already"));
  EXPECT_THAT(refusal({"compile_ms=5"}), HasSubstr("compile_ms"));
  EXPECT_THAT(refusal({"cost"}), HasSubstr("METRIC=+5%"));
}

TEST(LimitsTest, CodeAloneDoesNotGrowWhereBytesAreTheObjectiveUnlessItMay) {
  using Limits = std::vector<std::string>;
  EXPECT_EQ(usualLimits("text_bytes", {}), Limits{"code_bytes=+0%"});
  EXPECT_EQ(usualLimits("unwind_bytes", {"cost=5"}), (Limits{"cost=5", "code_bytes=+0%"}));
  EXPECT_EQ(usualLimits("ir_instructions=0.5+text_bytes=0.5", {}), Limits{"code_bytes=+0%"});
  for (const char* other : {"ir_instructions", "code_bytes", "runtime", "compile_ms", "nonsense=x"})
    EXPECT_EQ(usualLimits(other, {}), Limits{}) << other;
  for (const char* asked : {"code_bytes=any", "code_bytes=+2%", "code_bytes=300"})
    EXPECT_EQ(usualLimits("text_bytes", {asked}), Limits{asked});
}

TEST(LimitsTest, TheBaselineIsWithinThem) {
  State baseline;
  baseline.session = *fakes::ToyBackend().open(fakes::toySpec(200, {}));
  const auto limits = limitsFor({"count=+5%", "cost=any", "ir_instructions=200"}, baseline);
  ASSERT_TRUE(limits) << limits.error().message;
  ASSERT_EQ(limits->size(), 2u);
  EXPECT_EQ(limits->at(0).metric, "count");
  EXPECT_DOUBLE_EQ(limits->at(0).most, 210);
  EXPECT_EQ(limits->at(1).most, 200);
  for (const char* text : {"count=199", "count=-1%"}) {
    const auto refused = limitsFor({text}, baseline);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr("the baseline itself has 200 count"));
  }
}

}  // namespace
}  // namespace ordo::engine
