#include "engine/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"

namespace ordo::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(BaselineTest, EachNameIsReadBack) {
  EXPECT_THAT(baselineNames(), testing::SizeIs(12));
  for (const std::string& name : baselineNames()) {
    const Result<Baseline> baseline = parseBaseline(name);
    ASSERT_TRUE(baseline) << baseline.error().message;
    EXPECT_EQ(baseline->name(), name);
  }
  EXPECT_EQ(parseBaseline("bare-O2")->level, frontend::Level::kO2);
  EXPECT_TRUE(parseBaseline("bare-O2")->bare);
  EXPECT_FALSE(parseBaseline("clang-Oz")->bare);
}

TEST(BaselineTest, AnotherNameSuggestsTheNearest) {
  for (const char* name : {"clang-oz", "clang-O4", "", "Oz"}) {
    const Result<Baseline> baseline = parseBaseline(name);
    ASSERT_FALSE(baseline) << name;
    EXPECT_EQ(baseline.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(baseline.error().message, HasSubstr("clang-Oz"));
  }
  EXPECT_THAT(parseBaseline("clang-oz").error().message, HasSubstr("did you mean 'clang-Oz'?"));
}

TEST(BaselineTest, ClangsIsTheCapturedPipelineAndTheBareOneTheAlias) {
  const frontend::Pipeline captured{"globalopt,function(sroa)", {}};
  const env::Action clang = baselineAction({frontend::Level::kOz, false}, captured);
  EXPECT_EQ(clang.name, "clang-Oz");
  EXPECT_EQ(clang.kind, notation::kPipeline);
  EXPECT_EQ(clang.text, "globalopt,function(sroa)");
  const env::Action bare = baselineAction({frontend::Level::kOz, true}, captured);
  EXPECT_EQ(bare.name, "bare-Oz");
  EXPECT_EQ(bare.text, "default<Oz>");
}

TEST(BaselineTest, ABareProgramHasNoSizeAttributes) {
  std::vector<std::string> texts;
  for (const env::Action& action : bareAttributes()) {
    EXPECT_EQ(action.kind, notation::kAttribute);
    texts.push_back(action.text);
  }
  EXPECT_THAT(texts, testing::ElementsAre("-minsize", "-optsize"));
}

}  // namespace
}  // namespace ordo::engine
