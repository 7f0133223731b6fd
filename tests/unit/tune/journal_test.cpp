#include "tune/journal.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::tune {
namespace {

class JournalTest : public testing::Test {
 protected:
  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "tune.jsonl";
};

TEST_F(JournalTest, WhatIsToldCanBeReadAtOnce) {
  const auto journal = *Journal::create(file_);
  EXPECT_TRUE(readJournal(file_)->empty());
  journal->begin("suite/x", "text_bytes", "clang-Oz");
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
  journal->end("");
  const std::vector<Json> lines = *readJournal(file_);
  ASSERT_EQ(lines.size(), 4u) << "the second progress comes too soon";
  EXPECT_EQ(lines[0]["program"], "suite/x");
  EXPECT_EQ(lines[1]["actions"], Json({"sroa", "gvn"}));
  EXPECT_EQ(lines[1]["baseline"], 80);
  EXPECT_EQ(lines[2]["compiles"], 9);
  EXPECT_EQ(lines[3]["event"], "end");
}

TEST_F(JournalTest, ALineThatIsBeingWrittenIsLeftOutAndOneThatIsNoneIsAnError) {
  ASSERT_TRUE(writeFile(file_, "{\"event\":\"end\"}\n{\"event\":\"be"));
  EXPECT_EQ(readJournal(file_)->size(), 1u);
  for (const char* wrong : {"nonsense\n", "[]\n", "{}\n", "{\"event\":1}\n"}) {
    ASSERT_TRUE(writeFile(file_, wrong));
    EXPECT_FALSE(readJournal(file_)) << wrong;
  }
  EXPECT_FALSE(Journal::create(dir_.path() / "no" / "such"));
}

}  // namespace
}  // namespace ordo::tune
