#include "builds/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace ordo::builds {
namespace {

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

 private:
  static void clear() {
    for (const char* name : {"ORDO_DISABLE", "ORDO_OBJECTIVE", "ORDO_BUDGET", "ORDO_LOG", "ORDO_LOCK",
                             "ORDO_CACHE_LIMIT", "ORDO_LIMIT", "ORDO_CACHE", "ORDO_CACHE_SHARED",
                             "ORDO_ADVISORS", "ORDO_FREE_FLAGS", "ORDO_PLAIN", "ORDO_LINKED"})
      ::unsetenv(name);
  }
};

TEST_F(SettingsTest, NothingSaidIsAFifthOfASecond) {
  ::setenv("ORDO_CACHE", "/somewhere", 1);
  const Settings settings = *settingsFromEnvironment();
  EXPECT_FALSE(settings.disabled);
  EXPECT_EQ(settings.objective, "");
  EXPECT_EQ(settings.seconds, 0.2);
  EXPECT_EQ(settings.log, "/somewhere/builds.jsonl");
  EXPECT_EQ(settings.lock, "");
  EXPECT_EQ(settings.cache_bytes, std::uint64_t{1} << 30);
}

TEST_F(SettingsTest, FreeFlagsAreThoseThatAreKnown) {
  EXPECT_TRUE(settingsFromEnvironment()->free_flags.empty());
  ::setenv("ORDO_FREE_FLAGS", "lto=full,inline=-25", 1);
  ::setenv("ORDO_PLAIN", "1", 1);
  EXPECT_EQ(writeFreeFlags(settingsFromEnvironment()->free_flags), "lto=full,inline=-25");
  EXPECT_TRUE(settingsFromEnvironment()->plain);
  ::setenv("ORDO_FREE_FLAGS", "-fplugin=x.so", 1);
  EXPECT_EQ(settingsFromEnvironment().error().code, ErrorCode::kInvalidArgument);
}

TEST_F(SettingsTest, ACacheIsSharedOnlyOnRequest) {
  EXPECT_EQ(settingsFromEnvironment()->sharing, Sharing::kNobody);
  ::setenv("ORDO_CACHE_SHARED", "group", 1);
  EXPECT_EQ(settingsFromEnvironment()->sharing, Sharing::kGroup);
  ::setenv("ORDO_CACHE_SHARED", "everybody", 1);
  EXPECT_EQ(settingsFromEnvironment().error().code, ErrorCode::kInvalidArgument);
}

TEST_F(SettingsTest, AdviceIsOfferedWhereNothingIsLocked) {
  ::setenv("ORDO_ADVISORS", "usual", 1);
  EXPECT_NE(settingsFromEnvironment()->advice, "");
  ::setenv("ORDO_LOCK", "/somewhere/ordo.lock", 1);
  EXPECT_EQ(settingsFromEnvironment()->advice, "");
  ::unsetenv("ORDO_LOCK");
  ::setenv("ORDO_ADVISORS", "no-such", 1);
  EXPECT_EQ(settingsFromEnvironment().error().code, ErrorCode::kNotFound);
  ::setenv("ORDO_DISABLE", "1", 1);
  EXPECT_TRUE(settingsFromEnvironment());
}

TEST_F(SettingsTest, ZeroIsABudgetAndTimesAre) {
  for (const auto& [text, seconds] : {std::pair("0", 0.0), {"0ms", 0.0}, {"50ms", 0.05}, {"5s", 5.0}}) {
    ::setenv("ORDO_BUDGET", text, 1);
    EXPECT_EQ(settingsFromEnvironment()->seconds, seconds) << text;
  }
}

TEST_F(SettingsTest, ABudgetThatIsNoTimeIsRefused) {
  for (const char* text : {"soon", "100evals", "5s,100evals", "-1s"}) {
    ::setenv("ORDO_BUDGET", text, 1);
    EXPECT_EQ(settingsFromEnvironment().error().code, ErrorCode::kInvalidArgument) << text;
  }
}

TEST_F(SettingsTest, ALimitIsOfCodeAndClangsOwnCodeIsWithinIt) {
  EXPECT_TRUE(settingsFromEnvironment()->limits.empty());
  for (const char* text : {"code_bytes=+2%", "code_bytes=+0%", "code_bytes=any"}) {
    ::setenv("ORDO_LIMIT", text, 1);
    EXPECT_EQ(settingsFromEnvironment()->limits, std::vector<std::string>{text});
  }
  for (const char* text : {"code_bytes=2000", "code_bytes=-1%", "text_bytes=+2%", "any", "code_bytes"}) {
    ::setenv("ORDO_LIMIT", text, 1);
    EXPECT_EQ(settingsFromEnvironment().error().code, ErrorCode::kInvalidArgument) << text;
  }
}

TEST_F(SettingsTest, SizesHaveUnits) {
  ::setenv("ORDO_CACHE_LIMIT", "3M", 1);
  EXPECT_EQ(settingsFromEnvironment()->cache_bytes, std::uint64_t{3} << 20);
  for (const char* text : {"M", "3T", "3 M", "99999999999G", "-1"}) {
    ::setenv("ORDO_CACHE_LIMIT", text, 1);
    EXPECT_EQ(settingsFromEnvironment().error().code, ErrorCode::kInvalidArgument) << text;
  }
}

TEST_F(SettingsTest, ZeroDoesNotDisable) {
  ::setenv("ORDO_DISABLE", "0", 1);
  EXPECT_FALSE(settingsFromEnvironment()->disabled);
  ::setenv("ORDO_DISABLE", "1", 1);
  EXPECT_TRUE(settingsFromEnvironment()->disabled);
}

}  // namespace
}  // namespace ordo::builds
