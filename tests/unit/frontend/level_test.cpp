#include "frontend/level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::frontend {
namespace {

TEST(LevelTest, EveryNameIsReadBack) {
  for (Level level : kLevels) {
    EXPECT_EQ(parseLevel(name(level)).value(), level);
    EXPECT_EQ(parseLevel(fmt::format("-{}", name(level))).value(), level);
  }
}

TEST(LevelTest, UnknownLevelsAreAnsweredWithTheKnownOnes) {
  for (const char* text : {"", "-", "O4", "oz", "--Oz", "Ofast", "Og"}) {
    const auto level = parseLevel(text);
    ASSERT_FALSE(level) << text;
    EXPECT_EQ(level.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(level.error().message, testing::HasSubstr("O0, O1, O2, O3, Os, Oz"));
  }
}

TEST(LevelTest, SizeLevelsGenerateCodeAsO2Does) {
  EXPECT_EQ(codegenLevel(Level::kO0), 0);
  EXPECT_EQ(codegenLevel(Level::kO1), 1);
  EXPECT_EQ(codegenLevel(Level::kO3), 3);
  for (Level level : {Level::kO2, Level::kOs, Level::kOz}) EXPECT_EQ(codegenLevel(level), 2);
}

}  // namespace
}  // namespace ordo::frontend
