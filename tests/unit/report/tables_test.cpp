#include "report/tables.h"

#include <gtest/gtest.h>

#include "tests/unit/report/small_study.h"

namespace ordo::report {
namespace {

TEST(TablesTest, AMethodThatLacksAnObjectiveLeavesItsColumnEmpty) {
  SmallStudy small = SmallStudy::complete();
  small.add("extra", "a/1", 1, 95, 90, "text_bytes");
  const Analysis analysis(small.study);
  const Table table = groupTable(analysis, "suite", analysis.bySuite("ir_instructions", "clang-Oz"));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"suite", "programs", "extra", "good", "random"}));
  EXPECT_EQ(table.rows[0][2], "");
  EXPECT_TRUE(table.rows[0][3].starts_with("+10.00 %"));
}

TEST(TablesTest, EachBudgetHasItsWinner) {
  SmallStudy small = SmallStudy::complete();
  for (const char* program : {"a/1", "a/2", "b/1"}) {
    for (const std::uint64_t seed : {1u, 2u}) small.add("early", program, seed, 94, 94);
  }
  const Table table = winnersTable(Analysis(small.study));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], "ir_instructions over clang-Oz");
  EXPECT_TRUE(table.rows[0][1].starts_with("early +6.00 %")) << table.rows[0][1];
  EXPECT_TRUE(table.rows[0][2].starts_with("good +10.00 %")) << table.rows[0][2];
  EXPECT_EQ(table.rows[1][0], "ir_instructions over bare-Oz");
  EXPECT_TRUE(table.rows[1][1].starts_with("early +53.00 %")) << table.rows[1][1];
  EXPECT_EQ(table.rows[0].size(), table.columns.size());
}

TEST(TablesTest, FailuresOfAReasonAreOneRow) {
  SmallStudy small = SmallStudy::complete();
  for (study::Run& run : small.study.runs) {
    if (run.key.program == "b/1") run.failure = "it would not";
  }
  const Table table = failureTable(Analysis(small.study));
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"b/1", "4", "2", "it would not"}));
}

TEST(TablesTest, ARankingHasTwoRowsForEachMethod) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const Table table = rankingTable(analysis, analysis.ranking("ir_instructions", "clang-Oz"));
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[3][0], "random, unclamped");
  EXPECT_EQ(table.rows[3].back(), "3 / 0 / 0");
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

TEST(TablesTest, EveryProgramHasARow) {
  const SmallStudy small = SmallStudy::complete();
  const Table table = programTable(Analysis(small.study), "ir_instructions");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"a/1", "100", "200", "+10.00 %", "+4.00 %"}));
}

TEST(TablesTest, CostsAndProvenanceAreComplete) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const Table costs = costTable(analysis.costs("ir_instructions"));
  ASSERT_EQ(costs.rows.size(), 2u);
  EXPECT_EQ(costs.rows[0].size(), costs.columns.size());
  EXPECT_EQ(provenanceTable(small.study).rows.front()[1], "XXH3-128 " + small.study.file_hash);
  EXPECT_EQ(duelTable(analysis, analysis.against("random", "ir_instructions")).rows.size(), 1u);
}

}  // namespace
}  // namespace ordo::report
