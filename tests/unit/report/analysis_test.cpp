#include "report/analysis.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/report/small_study.h"

namespace ordo::report {
namespace {

const Row& rowOf(const Ranking& table, std::string_view method) {
  return *std::ranges::find(table.rows, method, &Row::method);
}

TEST(AnalysisTest, TheTableRanksMethodsOverBothBaselines) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  EXPECT_EQ(analysis.methods(), (std::vector<std::string>{"good", "random"}));
  EXPECT_EQ(analysis.budgets(), (std::vector<std::uint64_t>{10, 20}));
  const Ranking& clang = analysis.ranking("ir_instructions", "clang-Oz");
  EXPECT_EQ(clang.rows.front().method, "good");
  EXPECT_NEAR(rowOf(clang, "good").clamped[0].mean, 0.05, 1e-12);
  EXPECT_NEAR(rowOf(clang, "good").clamped[1].mean, 0.10, 1e-12);
  EXPECT_NEAR(rowOf(analysis.ranking("ir_instructions", "bare-Oz"), "good").clamped[1].mean, 0.55, 1e-12);
}

TEST(AnalysisTest, OnlyAMethodsOwnBestCanBeWorseThanTheBaseline) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const Ranking& table = analysis.ranking("ir_instructions", "clang-Oz");
  const Row& row = rowOf(table, "random");
  EXPECT_EQ(row.clamped[0].mean, 0);
  EXPECT_NEAR(row.own[0].mean, -0.2, 1e-12);
  EXPECT_EQ(row.wins, 3u);
  EXPECT_EQ(row.losses, 0u);
}

TEST(AnalysisTest, AFailureStaysInTheMean) {
  SmallStudy small = SmallStudy::complete();
  study::Run& failed = small.study.runs[4];  // good, a/2, seed 1
  ASSERT_EQ(failed.key.program, "a/2");
  failed = {};
  failed.key = {"good", "a/2", "ir_instructions", 1};
  failed.failure = "it would not";
  const Analysis analysis(small.study);
  // a: (0.10 + (0 + 0.08) / 2) / 2 = 0.07, b: 0.10.
  EXPECT_NEAR(rowOf(analysis.ranking("ir_instructions", "clang-Oz"), "good").clamped[1].mean, 0.085, 1e-12);
  ASSERT_EQ(analysis.failures().size(), 1u);
  EXPECT_EQ(analysis.failures()[0]->failure, "it would not");
}

TEST(AnalysisTest, OnlyWhatEveryMethodDidIsCompared) {
  SmallStudy small = SmallStudy::complete();
  small.add("good", "a/1", 3, 50, 50);  // random has no such run
  const Analysis analysis(small.study);
  EXPECT_EQ(analysis.leftOut("ir_instructions"), 1u);
  EXPECT_EQ(analysis.seeds("ir_instructions"), 2u);
  EXPECT_NEAR(rowOf(analysis.ranking("ir_instructions", "clang-Oz"), "good").clamped[1].mean, 0.10, 1e-12);
}

TEST(AnalysisTest, AMethodOfFewProgramsDoesNotTakeTheOthersAway) {
  SmallStudy small = SmallStudy::complete();
  for (const std::uint64_t seed : {1u, 2u}) small.add("guest", "a/1", seed, 99, 80);
  const Analysis most(small.study);
  EXPECT_EQ(most.outside(), std::vector<std::string>{"guest"});
  EXPECT_EQ(most.methods(), (std::vector<std::string>{"good", "random"}));
  EXPECT_EQ(most.programs("ir_instructions").size(), 3u);
  EXPECT_EQ(most.leftOut("ir_instructions"), 0u);
  const Analysis all(small.study, Panel::kAll);
  EXPECT_EQ(all.objectivesOf({"guest"}), std::vector<std::string>{"ir_instructions"});
  EXPECT_TRUE(all.objectivesOf({"nobody"}).empty());
  EXPECT_TRUE(all.outside().empty());
  EXPECT_EQ(all.programs("ir_instructions").size(), 1u);
  EXPECT_EQ(all.ranking("ir_instructions", "clang-Oz").rows.front().method, "guest");
}

TEST(AnalysisTest, GroupsAreSuitesAndSizes) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const auto suites = analysis.bySuite("ir_instructions", "clang-Oz");
  ASSERT_EQ(suites.size(), 2u);
  EXPECT_EQ(suites[0].name, "a");
  EXPECT_EQ(suites[0].programs, 2u);
  EXPECT_NEAR(suites[0].values.at("good").mean, 0.10, 1e-12);
  const auto sizes = analysis.bySize("ir_instructions", "clang-Oz");
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(sizes[0].name, "under 100");
  EXPECT_EQ(sizes[2].name, "10 000 and more");
}

TEST(AnalysisTest, PartOfAStudyIsAnalysedAsIfItWereAll) {
  SmallStudy small = SmallStudy::complete();
  const Analysis of_b(small.study, Panel::kMost, [](const study::Program& one) { return one.suite == "b"; });
  study::Study part = small.study;
  std::erase_if(part.programs, [](const study::Program& one) { return one.suite != "b"; });
  std::erase_if(part.runs, [](const study::Run& run) { return !run.key.program.starts_with("b/"); });
  const Analysis alone(part);
  EXPECT_EQ(of_b.programs("ir_instructions").size(), alone.programs("ir_instructions").size());
  EXPECT_EQ(of_b.leftOut("ir_instructions"), 0u);
  EXPECT_EQ(of_b.ranking("ir_instructions", "clang-Oz").rows[0].clamped[1].mean,
            alone.ranking("ir_instructions", "clang-Oz").rows[0].clamped[1].mean);
  EXPECT_EQ(of_b.overCompiles("ir_instructions")[0].y, alone.overCompiles("ir_instructions")[0].y);
}

TEST(AnalysisTest, MeansAreInTheOrderOfPrograms) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const std::vector<double> means = analysis.means("good", "ir_instructions", "clang-Oz");
  const auto programs = analysis.programs("ir_instructions");
  const auto groups = analysis.byProgram("ir_instructions", "clang-Oz");
  ASSERT_EQ(means.size(), programs.size());
  ASSERT_EQ(groups.size(), programs.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_EQ(groups[i].name, programs[i]->uri);
    EXPECT_DOUBLE_EQ(groups[i].values.at("good").mean, means[i]);
  }
  EXPECT_TRUE(analysis.means("nobody", "ir_instructions", "clang-Oz").empty());
}

TEST(AnalysisTest, DuelsArePairedByProgram) {
  const SmallStudy small = SmallStudy::complete();
  const auto duels = Analysis(small.study).against("random", "ir_instructions");
  ASSERT_EQ(duels.size(), 1u);
  EXPECT_EQ(duels[0].method, "good");
  EXPECT_NEAR(duels[0].by_budget[1].difference.mean, 0.06, 1e-12);
  EXPECT_EQ(duels[0].wins, 3u);
  EXPECT_EQ(duels[0].ties + duels[0].losses, 0u);
}

TEST(AnalysisTest, CurvesRiseAsImprovementsCome) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const auto curves = analysis.overCompiles("ir_instructions");
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].y.front(), 0);  // nothing before the fifth evaluation
  EXPECT_NEAR(curves[0].y.back(), 0.10, 1e-12);
  EXPECT_TRUE(std::ranges::is_sorted(curves[0].y));
  EXPECT_NEAR(curves[0].x.back(), 20, 1e-9);
  EXPECT_NEAR(analysis.overSeconds("ir_instructions")[0].x.back(), 2, 1e-9);
}

TEST(AnalysisTest, EqualTimesAreReadOffTheSameRuns) {
  const SmallStudy small = SmallStudy::complete();
  const TimeRanking ranking = Analysis(small.study).atSeconds("ir_instructions");
  EXPECT_EQ(ranking.seconds, (std::vector<double>{0.1, 1})) << "no run took ten";
  ASSERT_EQ(ranking.rows.size(), 2u);
  EXPECT_EQ(ranking.rows[0].method, "good");
  EXPECT_EQ(ranking.rows[0].clamped[0].mean, 0) << "nothing had come";
  EXPECT_NEAR(ranking.rows[0].clamped[1].mean, 0.05, 1e-12);
  EXPECT_EQ(ranking.rows[1].clamped[1].mean, 0) << "clamped: its own was worse than clang-Oz";
}

TEST(AnalysisTest, CostsAddUp) {
  const SmallStudy small = SmallStudy::complete();
  const auto costs = Analysis(small.study).costs("ir_instructions");
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_EQ(costs[0].runs, 6u);
  EXPECT_DOUBLE_EQ(costs[0].passes, 60);
  EXPECT_NEAR(costs[0].cpu_s, 2, 1e-12);
  EXPECT_NEAR(costs[0].method_share, 0.03, 1e-12);
  EXPECT_NEAR(costs[0].harness_share, 0.02, 1e-12);
}

TEST(AnalysisTest, CorrelationIsOverAllResultsWithBothMetrics) {
  const SmallStudy small = SmallStudy::complete();
  const Correlation correlation = Analysis(small.study).correlation();
  EXPECT_EQ(correlation.pairs, 24u);
  EXPECT_NEAR(correlation.pearson, 1, 1e-12);
}

TEST(AnalysisTest, AnEmptyStudyIsNoProblem) {
  const study::Study study;
  const Analysis analysis(study);
  EXPECT_TRUE(analysis.methods().empty());
  EXPECT_TRUE(analysis.objectives().empty());
  EXPECT_EQ(analysis.correlation().pairs, 0u);
}

}  // namespace
}  // namespace ordo::report
