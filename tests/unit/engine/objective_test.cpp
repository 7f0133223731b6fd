#include "engine/objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"

namespace ordo::engine {
namespace {

using testing::HasSubstr;

env::BackendInfo infoWith(const std::vector<env::MetricInfo>& metrics) {
  env::BackendInfo info;
  info.metrics = metrics;
  return info;
}

const env::BackendInfo kInfo = infoWith(
    {{"text_bytes", "bytes", true, ""}, {"compile_ms", "ms", false, ""}, {"ir_instructions", "", true, ""}});

TEST(ObjectiveTest, IsAMetricOfTheBackendOrSeveral) {
  EXPECT_TRUE(checkObjective(kInfo, "text_bytes"));
  EXPECT_TRUE(checkObjective(kInfo, "compile_ms"));
  EXPECT_TRUE(checkObjective(kInfo, "text_bytes=0.5+ir_instructions=0.5"));
  const Status unknown = checkObjective(kInfo, "text_byte");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean 'text_bytes'?"));
  EXPECT_FALSE(checkObjective(kInfo, "text_bytes=1+compile_ms=1")) << "is another each time";
  EXPECT_FALSE(checkObjective(kInfo, "runtime")) << "no metric of a session";
}

TEST(ObjectiveTest, RunTimeIsForTuningAndByItself) {
  EXPECT_TRUE(checkTunable(kInfo, "runtime"));
  EXPECT_THAT(checkTunable(kInfo, "text_bytes=1+runtime=1").error().message, HasSubstr("--limit text_bytes"));
}

TEST(ObjectiveTest, SpacesFollowWhatIsMeasured) {
  EXPECT_EQ(usualSpace("runtime"), "speed");
  EXPECT_EQ(usualSpace("object_bytes"), "text");
  EXPECT_EQ(usualSpace("ir_instructions"), "size");
  EXPECT_EQ(usualSpace("ir_instructions=1+text_bytes=1"), "text");
  EXPECT_EQ(objectiveFor("text_bytes").screen, "ir_instructions");
  EXPECT_EQ(objectiveFor("ir_instructions").screen, "");
}

TEST(ObjectiveTest, TheBaselineIsAmongTheActionsAsItWasCaptured) {
  spaces::Space space;
  space.actions = {{"safe", notation::kPipeline, "a"},
                   {"unsafe", notation::kPipeline, "b"},
                   {"clang-Oz", notation::kPipeline, "of the manifest"}};
  space.unsafe = {1};
  Input input;
  input.pipeline.text = "captured";
  env::ActionIndex baseline = 99;
  std::vector<env::Action> actions = candidateActions(input, space, false, baseline);
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(baseline, 1u);
  EXPECT_EQ(actions[1].text, "captured");
  EXPECT_EQ(candidateActions(input, space, true, baseline).size(), 3u);
  space.actions.pop_back();
  actions = candidateActions(input, space, true, baseline);
  ASSERT_EQ(actions.size(), 3u);
  EXPECT_EQ(baseline, 2u);
  EXPECT_EQ(actions[2].name, "clang-Oz");
}

}  // namespace
}  // namespace ordo::engine
