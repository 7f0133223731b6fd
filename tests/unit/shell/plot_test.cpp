#include "shell/plot.h"

#include <gmock/gmock.h>

#include "shell/line_diff.h"
#include "support/table.h"

namespace ordo::shell {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(PlotTest, DrawsBarsAboveALabelledAxis) {
  EXPECT_EQ(plot("count of toy", {100, 50, 75}, std::nullopt, {}),
            "count of toy\n"
            "100 +###\n"
            "    |###\n"
            " 90 +###\n"
            "    |###\n"
            " 80 +###\n"
            "    |###     ###\n"
            " 70 +###     ###\n"
            "    |###     ###\n"
            " 60 +###     ###\n"
            "    |###     ###\n"
            " 50 +### ### ###\n"
            "    |### ### ###\n"
            " 40 +------------\n"
            "     0   1   2  step\n");
}

TEST(PlotTest, TheReferenceHasALineAndAName) {
  const std::string text = plot("t", {100, 50}, Reference{"clang-Oz", 90}, {});
  EXPECT_THAT(text, HasSubstr("----- clang-Oz 90"));
}

TEST(PlotTest, BlocksAreEighths) {
  Style style;
  style.utf8 = true;
  EXPECT_THAT(plot("t", {8, 1, 2.5}, std::nullopt, style), HasSubstr("█"));
  EXPECT_THAT(plot("t", {8, 1, 2.5}, std::nullopt, {}), Not(HasSubstr("█")));
}

TEST(PlotTest, ManyStepsShareBarsAndFitIntoTheWidth) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(1e6 - i);
  const std::string text = plot("t", values, Reference{"clang-Oz", 999500}, {});
  for (const std::string_view line : linesOf(text)) EXPECT_LE(columnsOf(line), 80u) << line;
  EXPECT_THAT(text, HasSubstr("(one bar for "));
}

TEST(PlotTest, OddValuesHaveAnAxisToo) {
  for (const std::vector<double>& values :
       std::vector<std::vector<double>>{{0}, {5}, {0, 0}, {-3, 2}, {1e-3, 2e-3}, {1e12}, {0.1, 0.1}}) {
    const std::string text = plot("t", values, std::nullopt, {});
    EXPECT_GE(linesOf(text).size(), 4u) << values[0];
    EXPECT_LE(linesOf(text).size(), 30u) << values[0];
  }
}

}  // namespace
}  // namespace ordo::shell
