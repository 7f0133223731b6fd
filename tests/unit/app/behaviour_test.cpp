#include "app/behaviour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/input.h"
#include "app/stock.h"

namespace ordo::app {
namespace {

using testing::HasSubstr;

const std::string kCrc32 = ORDO_SOURCE_DIR "/suite/crc32";

TEST(BehaviourTest, AProgramDoesWhatItDoes) {
  const Input input = *prepareInput(kCrc32, {}, {});
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  EXPECT_EQ(behaviour->unusable, "");
  EXPECT_EQ(behaviour->runs.size(), input.program.tests.size());
  EXPECT_EQ(behaviour->source_check.verdict, Verdict::kPassed) << behaviour->source_check.detail;
  const auto output = checkOutput(*behaviour, input.compiled.bytes, {}, 1);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->verdict, Verdict::kPassed) << output->detail;
  const auto address = checkAddress(*behaviour, input.compiled.bytes, 1);
  ASSERT_TRUE(address);
  EXPECT_EQ(address->verdict, Verdict::kPassed) << address->detail;
}

TEST(BehaviourTest, AnotherProgramDoesNot) {
  const Input input = *prepareInput(kCrc32, {}, {});
  const Input other = *prepareInput(ORDO_SOURCE_DIR "/suite/wc", {}, {});
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  const auto output = checkOutput(*behaviour, other.compiled.bytes, {}, 0);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->verdict, Verdict::kFailed);
  EXPECT_THAT(output->detail, HasSubstr("clang's exited with status 0"));
}

TEST(BehaviourTest, WhatCannotBeRunIsSkipped) {
  Input input = *prepareInput(kCrc32, {}, {});
  input.program.tests.clear();
  const auto behaviour = observeBehaviour(input.program, input.source, input.baseline.level);
  ASSERT_TRUE(behaviour) << behaviour.error().message;
  EXPECT_EQ(checkOutput(*behaviour, input.compiled.bytes, {}, 0)->verdict, Verdict::kSkipped);
  EXPECT_THAT(behaviour->unusable, HasSubstr("no tests"));
}

}  // namespace
}  // namespace ordo::app
