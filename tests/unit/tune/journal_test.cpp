#include "tune/journal.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/followed_file.h"

namespace ordo::tune {
namespace {

class JournalTest : public testing::Test {
 protected:
  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "tune.jsonl";
};

TEST_F(JournalTest, WhatIsToldCanBeReadAtOnce) {
  const auto journal = *Journal::create(file_);
  FollowedFile followed(file_);
  const FollowedFile::News first = *followed.read();
  ASSERT_EQ(first.lines.size(), 1u);
  EXPECT_EQ(first.lines[0]["writer"], thisWriter());
  journal->begin("suite/x", "text_bytes", "clang-Oz", Reference{"bare-Oz", 90});
  search::Evaluation best;
  best.number = 3;
  best.value = 70;
  journal->improved(80, best, {"sroa", "gvn"});
  search::Statistics statistics;
  statistics.seconds = 1;
  statistics.evaluations = 9;
  journal->progress(statistics);
  statistics.seconds = 1.1;
  journal->progress(statistics);
  recipe::Recipe made;
  made.actions = {{.name = "sroa"}, {.name = "gvn"}};
  made.reasons = {{.action = 1, .saves = 6}};
  journal->end("", &made);
  journal->end("it failed", nullptr);
  const std::vector<Json> lines = followed.read()->lines;
  ASSERT_EQ(lines.size(), 5u) << "the second progress comes too soon";
  EXPECT_EQ(lines[0]["program"], "suite/x");
  EXPECT_EQ(lines[0]["reference"], Json::parse(R"({"name":"bare-Oz","value":90.0})"));
  EXPECT_EQ(lines[1]["actions"], Json({"sroa", "gvn"}));
  EXPECT_EQ(lines[1]["baseline"], 80);
  EXPECT_EQ(lines[2]["compiles"], 9);
  EXPECT_EQ(lines[3]["saves"], Json::parse(R"([{"action":"gvn","saves":6.0}])"));
  EXPECT_EQ(lines[4]["failure"], "it failed");
}

TEST_F(JournalTest, AFileThatCannotBeMadeIsAnError) {
  EXPECT_FALSE(Journal::create(dir_.path() / "no" / "such"));
}

}  // namespace
}  // namespace ordo::tune
