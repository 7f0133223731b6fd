#include "report/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/unit/report/small_study.h"

namespace ordo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MarkdownTest, ShowsBothKindsOfRowsOverBothBaselines) {
  const SmallStudy small = SmallStudy::complete();
  const std::string text = markdownReport(Analysis(small.study), "random");
  EXPECT_THAT(text, HasSubstr("### ir_instructions over clang-Oz"));
  EXPECT_THAT(text, HasSubstr("### ir_instructions over bare-Oz"));
  EXPECT_THAT(text, HasSubstr("| random | 0.00 % [+0.00, +0.00] | +4.00 %"));
  EXPECT_THAT(text, HasSubstr("| random, unclamped | -20.00 %"));
  EXPECT_THAT(text, HasSubstr("### Against random"));
  EXPECT_THAT(text, HasSubstr("under 100"));
  EXPECT_THAT(text, HasSubstr(small.study.file_hash));
  EXPECT_THAT(text, HasSubstr("None."));
}

TEST(MarkdownTest, EveryRowOfATableHasTheSameNumberOfCells) {
  SmallStudy small = SmallStudy::complete();
  small.study.runs[0].failure = "a | in a reason\nand a line";
  std::istringstream lines(markdownReport(Analysis(small.study), "random"));
  std::ptrdiff_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      columns = 0;
      continue;
    }
    std::ptrdiff_t bars = std::ranges::count(line, '|');
    for (std::size_t at = line.find("\\|"); at != std::string::npos; at = line.find("\\|", at + 2)) --bars;
    if (columns == 0) columns = bars;
    EXPECT_EQ(bars, columns) << line;
  }
}

TEST(MarkdownTest, MethodsOfFewProgramsHaveTablesOfTheirOwn) {
  SmallStudy small = SmallStudy::complete();
  EXPECT_THAT(leaderboard(Analysis(small.study)), Not(HasSubstr("# With")));
  for (const std::uint64_t seed : {1u, 2u}) small.add("guest", "a/1", seed, 99, 80);
  for (const std::string& text :
       {leaderboard(Analysis(small.study)), markdownReport(Analysis(small.study), "random")}) {
    const std::string apart = text.substr(text.find("# With guest\n"));
    EXPECT_THAT(text.substr(0, text.size() - apart.size()), Not(HasSubstr("| guest")));
    EXPECT_THAT(apart, HasSubstr("1 programs of 1 suites, 3 methods"));
    EXPECT_THAT(apart, HasSubstr("| guest | +1.00 %"));
  }
}

TEST(MarkdownTest, TheLeaderboardIsAPageOfItsOwn) {
  const SmallStudy small = SmallStudy::complete();
  const std::string text = leaderboard(Analysis(small.study));
  EXPECT_TRUE(text.starts_with("# Leaderboard\n"));
  EXPECT_THAT(text, HasSubstr("ordo report STUDY --leaderboard"));
}

TEST(MarkdownTest, ASummaryHasAColumnForEachSize) {
  const SmallStudy small = SmallStudy::complete();
  const std::string text = summary(Analysis(small.study));
  EXPECT_TRUE(text.starts_with("- ir_instructions: good won")) << text;
  EXPECT_THAT(text, HasSubstr("| method | under 100 | 100 to 999 | 10 000 and more |\n|---|---:|---:|---:|\n"
                              "| programs | 1 | 1 | 1 |\n| good | +10.00 %"));
  EXPECT_THAT(text, HasSubstr(small.study.file_hash));
}

}  // namespace
}  // namespace ordo::report
