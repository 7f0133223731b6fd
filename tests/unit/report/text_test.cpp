#include "report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/report/small_study.h"

namespace ordo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TextTest, PercentHasASign) {
  EXPECT_EQ(percent(0.0593), "+5.93 %");
  EXPECT_EQ(percent(-0.2), "-20.00 %");
  EXPECT_EQ(percent(0.00001), "0.00 %");
  EXPECT_EQ(percent(Estimate{0.05, Interval{0.04, 0.06}}), "+5.00 % [+4.00, +6.00]");
  EXPECT_EQ(percent(Estimate{0.0908}), "+9.08 %");
  EXPECT_EQ(points(Estimate{-0.01}), "-1.00");
}

TEST(TextTest, TheFirstLineSaysWhoWonAndByHowMuch) {
  const SmallStudy small = SmallStudy::complete();
  const Analysis analysis(small.study);
  const std::vector<std::string> lines = headlines(analysis);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("good won with +10.00 %"));
  EXPECT_THAT(lines[0], HasSubstr("points more than random"));
  EXPECT_THAT(terminalReport(analysis), HasSubstr(lines[0]));
}

TEST(TextTest, AnAdvantageThatMayBeChanceIsCalledThat) {
  SmallStudy small;
  for (const char* program : {"a/1", "a/2", "b/1"}) {
    small.add("one", program, 1, 95, program[2] == '1' ? 90 : 95);
    small.add("two", program, 1, 95, program[2] == '1' ? 95 : 89);
  }
  EXPECT_THAT(headlines(Analysis(small.study))[0], HasSubstr("does not tell from"));
}

TEST(TextTest, WhatOneProgramAndOneSeedDoNotTellIsNotSaid) {
  SmallStudy small;
  small.add("one", "a/1", 1, 95, 90);
  small.add("two", "a/1", 1, 95, 94);
  const std::string text = terminalReport(Analysis(small.study));
  EXPECT_THAT(text, HasSubstr("+10.00 %"));
  EXPECT_THAT(text, HasSubstr("+4.00 points more than two (of which no interval is known)"));
  EXPECT_THAT(text, Not(HasSubstr("[")));
}

TEST(TextTest, SuitesThatAddNoWidthAreSaid) {
  const SmallStudy small = SmallStudy::complete();
  EXPECT_THAT(definitions(Analysis(small.study)), testing::Contains(HasSubstr("1 of 2 suites")));
}

TEST(TextTest, OnlyProcessesTakeTimeToStart) {
  SmallStudy small = SmallStudy::complete();
  const auto definition = [&] { return costDefinition(Analysis(small.study).costs("ir_instructions")); };
  EXPECT_THAT(definition(), Not(HasSubstr("start of a process")));
  for (study::Run& run : small.study.runs) {
    if (run.key.method == "good") run.start_cpu_s = 0.02 * static_cast<double>(run.key.seed);
  }
  EXPECT_THAT(definition(), HasSubstr("start of a process: good 0.03 s."));  // the mean of 2 and 4
}

TEST(TextTest, FewSeedsAreSaid) {
  const SmallStudy small = SmallStudy::complete();
  EXPECT_THAT(definitions(Analysis(small.study)).back(), HasSubstr("fewer than 3 seeds"));
  EXPECT_THAT(scope(Analysis(small.study), "ir_instructions"),
              HasSubstr("3 programs of 2 suites, 2 methods, 2 seeds"));
}

}  // namespace
}  // namespace ordo::report
