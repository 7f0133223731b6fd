#include "cli/run_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(RunTimeTest, WordsAreThoseOfAShell) {
  const Result<timing::Input> input = parseRun("./prog -9 'a file' \"b\" c\\ d", "in.txt", {"prog"});
  ASSERT_TRUE(input) << input.error().message;
  EXPECT_THAT(input->args, ElementsAre("-9", "a file", "b", "c d"));
  EXPECT_EQ(input->input, "in.txt");
  EXPECT_EQ(input->exit, 0);
  EXPECT_THAT(parseRun("./prog", "", {"prog"})->args, testing::IsEmpty());
}

TEST(RunTimeTest, WhatNeedsAShellIsRefused) {
  for (const char* text :
       {"./prog <in", "./prog | wc", "./prog $(ls)", "a; b", "'open", "./prog $NO_SUCH_NAME"}) {
    const Result<timing::Input> input = parseRun(text, "", {"prog"});
    ASSERT_FALSE(input) << text;
    EXPECT_EQ(input.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(input.error().message, HasSubstr("--stdin FILE"));
  }
  EXPECT_THAT(parseRun("  ", "", {"prog"}).error().message, HasSubstr("there is no program in it"));
}

// Nothing but what is made is ever timed under its name.
TEST(RunTimeTest, AnotherProgramIsRefused) {
  const std::vector<std::string> names{"walk", "main"};
  for (const char* text : {"walk 4", "./main 4", "/some/where/walk", "build/main -x"})
    EXPECT_TRUE(parseRun(text, "", names)) << text;
  for (const char* text : {"sh ./walk 4", "/bin/sh walk", "env A=1 ./walk"}) {
    const Result<timing::Input> input = parseRun(text, "", names);
    ASSERT_FALSE(input) << text;
    EXPECT_EQ(input.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(input.error().message, HasSubstr("is another program than walk"));
    EXPECT_THAT(input.error().message, HasSubstr("write './walk ARGUMENTS'"));
  }
  EXPECT_THAT(parseRun("./nothere in", "", names).error().message,
              HasSubstr("there is no ./nothere, and what is made is walk"));
}

TEST(RunTimeTest, FiguresAreInTheirUnit) {
  EXPECT_EQ(figureText("text_bytes", 12345), "12 345");
  EXPECT_EQ(figureText("runtime", 0.016873), "16.87 ms");
  EXPECT_EQ(figureText("runtime", 2.5), "2.500 s");
}

TEST(RunTimeTest, ALimitSaysWhereTheResultStands) {
  recipe::Recipe recipe;
  EXPECT_EQ(limitsText(recipe), "");
  recipe.limits = {"text_bytes=+5%", "ir_instructions=400"};
  recipe.figures = {{"runtime", 1, 0, 1}, {"text_bytes", 2000, 0, 1890}, {"ir_instructions", 400, 0, 400}};
  const std::string text = limitsText(recipe);
  EXPECT_THAT(text, HasSubstr("text_bytes=+5%: at most 2 100, the result has 1 890 (-10.00 % of that)"));
  EXPECT_THAT(text, HasSubstr("ir_instructions=400: at most 400, the result has 400 (0.00 % of that)"));
}

TEST(RunTimeTest, SpeedThatCostsTextSaysSo) {
  recipe::Recipe recipe;
  recipe.figures = {{"runtime", 1, {}, 0.9}, {"text_bytes", 2000, {}, 10540}};
  EXPECT_THAT(growthText(recipe), HasSubstr("5.3 times as large (+427.00 %); --limit text_bytes=+10%"));
  recipe.figures[1].tuned = 2100;
  EXPECT_EQ(growthText(recipe), "");
}

TEST(RunTimeTest, AVerdictSaysWhatItRestsOn) {
  const recipe::Timing timing{
      "faster", "all of it is above 0.5 %", recipe::Speedup{1.25, 1.2, 1.3}, 1e-9, 40, 2, 3, "3 inputs"};
  const std::string text = timingText(timing);
  EXPECT_THAT(text, HasSubstr("faster: 1.2500 x [1.2000, 1.3000], p = 1e-09\n"));
  EXPECT_THAT(text, HasSubstr("40 candidates, 2 refused; 3 trials"));
  EXPECT_THAT(text, Not(HasSubstr("baseline")));
  recipe::Timing none;
  none.verdict = "void";
  EXPECT_THAT(timingText(none), HasSubstr("void; the result is the baseline"));
}

}  // namespace
}  // namespace ordo::cli
