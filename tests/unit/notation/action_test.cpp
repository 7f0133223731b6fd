#include "notation/action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::notation {
namespace {

TEST(NotationActionTest, AnOptionIsKnownByWhatItDecides) {
  EXPECT_EQ(codegenOption("-misched=ilpmax"), "-misched");
  EXPECT_EQ(codegenOption("-disable-lsr"), "-disable-lsr");
}

TEST(NotationActionTest, OtherKindsAreNamed) {
  const std::vector<env::Action> good{{"a", kPipeline, "a"},
                                      {"+minsize", kAttribute, "+minsize"},
                                      {"codegen<x>", kCodegen, "-x"},
                                      {"option<inline-threshold=-25>", kOption, "-inline-threshold=-25"}};
  EXPECT_TRUE(checkKinds(good));
  const std::vector<env::Action> bad{{"a", kPipeline, "a"}, {"tile<8>", "schedule", "tile 8"}};
  const Status status = checkKinds(bad);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(status.error().message,
              testing::AllOf(testing::HasSubstr("tile<8>"), testing::HasSubstr("schedule")));
}

// What comes from a file may not make LLVM print, or write.
TEST(NotationActionTest, OptionsOfPassesAreThoseThatAreKnown) {
  for (const char* text : {"-inline-threshold=x", "-time-passes=1", "-inline-threshold=1 -o=2", ""})
    EXPECT_FALSE(checkKinds(std::vector<env::Action>{{"option<x>", kOption, text}})) << text;
}

}  // namespace
}  // namespace ordo::notation
