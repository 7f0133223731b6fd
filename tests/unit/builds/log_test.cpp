#include "builds/log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/files.h"

namespace ordo::builds {
namespace {

LogLine sized(const std::string& object, Outcome outcome, double baseline, double tuned) {
  LogLine line;
  line.object = object;
  line.outcome = outcome;
  line.objective = "text_bytes";
  line.baseline = baseline;
  line.tuned = tuned;
  line.seconds = 1;
  return line;
}

TEST(BuildLogTest, LinesAreReadAsTheyWereWritten) {
  const TempDir dir = *TempDir::create();
  const auto file = dir.path() / "deep" / "log";
  ASSERT_TRUE(append(file, sized("a \"b\"\n.o", Outcome::kTuned, 10, 9)));
  LogLine plain;
  plain.reason = "no objective";
  ASSERT_TRUE(append(file, plain));
  const auto lines = *readLog(file);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].object, "a \"b\"\n.o");
  EXPECT_EQ(lines[0].tuned, 9);
  EXPECT_EQ(lines[0].time.size(), std::string("2026-11-22T12:00:00Z").size());
  EXPECT_EQ(lines[1].outcome, Outcome::kPlain);
  EXPECT_EQ(lines[1].reason, "no objective");
  EXPECT_EQ(lines[1].objective, "");
}

TEST(BuildLogTest, ABrokenLineIsLeftOut) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(append(dir.path() / "log", sized("a.o", Outcome::kCached, 10, 9)));
  std::ofstream(dir.path() / "log", std::ios::app) << "{\"time\": \"20";
  EXPECT_EQ(readLog(dir.path() / "log")->size(), 1u);
  EXPECT_EQ(readLog(dir.path() / "none").error().code, ErrorCode::kNotFound);
}

TEST(BuildLogTest, ReasonsAreCountedTheCommonestFirst) {
  const auto because = [](Outcome outcome, std::string reason) {
    LogLine line;
    line.outcome = outcome;
    line.reason = std::move(reason);
    return line;
  };
  const auto reasons =
      reasonsOf({because(Outcome::kPlain, "-O0 asks for nothing"), because(Outcome::kPlain, "LTO"),
                 because(Outcome::kTuned, "of no interest"), because(Outcome::kPlain, "LTO"),
                 because(Outcome::kFallback, "LTO"), LogLine{}});
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_EQ(reasons[0].text, "LTO");
  EXPECT_EQ(reasons[0].outcome, Outcome::kPlain);
  EXPECT_EQ(reasons[0].count, 2);
  EXPECT_EQ(reasons[1].count, 1);
}

TEST(BuildLogTest, WhatOzMakesIsSummedOverTheFilesOfWhichItIsKnown) {
  LogLine known = sized("a.o", Outcome::kTuned, 100, 80), unknown = sized("b.o", Outcome::kTuned, 50, 40);
  known.level = unknown.level = "Os";
  known.oz = 85;
  known.functions = 7;
  known.remembered = 3;
  const TempDir dir = *TempDir::create();
  for (const LogLine& line : {known, unknown, sized("c.o", Outcome::kTuned, 10, 9)})
    ASSERT_TRUE(append(dir.path() / "log", line));
  const Totals totals = totalsOf(*readLog(dir.path() / "log"));
  EXPECT_EQ(totals.files, 3);
  EXPECT_EQ(totals.os_files, 2);
  EXPECT_EQ(totals.oz_files, 1);
  EXPECT_EQ(totals.oz_baseline, 100);
  EXPECT_EQ(totals.oz_result, 80);
  EXPECT_EQ(totals.oz, 85);
  EXPECT_EQ(totals.functions, 7);
  EXPECT_EQ(totals.remembered, 3);
}

TEST(BuildLogTest, SizesCountOnceForEachObject) {
  const Totals totals =
      totalsOf({sized("a.o", Outcome::kTuned, 100, 95), sized("a.o", Outcome::kCached, 100, 90),
                sized("b.o", Outcome::kFallback, 50, 50), LogLine{}});
  EXPECT_EQ(totals.compilations, 4);
  EXPECT_EQ(totals.tuned, 1);
  EXPECT_EQ(totals.cached, 1);
  EXPECT_EQ(totals.fallback, 1);
  EXPECT_EQ(totals.plain, 1);
  EXPECT_EQ(totals.seconds, 3);
  EXPECT_EQ(totals.files, 2);
  EXPECT_EQ(totals.baseline, 150);
  EXPECT_EQ(totals.result, 140);
}

}  // namespace
}  // namespace ordo::builds
