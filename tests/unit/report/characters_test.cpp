#include "report/characters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ordo::report {
namespace {

using testing::HasSubstr;

const PlotLabels kLabels{"title", "across", "upwards"};

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The line and column of a mark in the picture, without the legend.
std::pair<std::size_t, std::size_t> placeOf(const std::vector<std::string>& lines, char mark) {
  for (std::size_t i = 1; i < 15; ++i) {
    const std::size_t at = lines[i].find(mark, lines[i].find('|'));
    if (at != std::string::npos) return {i, at};
  }
  return {0, 0};
}

TEST(CharactersTest, PointsStandWhereTheyBelong) {
  const Scatter scatter{
      .front = {{10, 40}, {20, 20}, {40, 10}}, .reference = {40, 40}, .reference_name = "clang-Oz"};
  const std::vector<std::string> lines = linesOf(characterPlot(scatter, kLabels, 80));
  const auto first = placeOf(lines, '1'), second = placeOf(lines, '2'), third = placeOf(lines, '3');
  const auto reference = placeOf(lines, 'R');
  EXPECT_LT(first.first, second.first);
  EXPECT_LT(second.first, third.first);
  EXPECT_LT(first.second, second.second);
  EXPECT_LT(second.second, third.second);
  EXPECT_EQ(reference, std::pair(first.first, third.second));
  EXPECT_THAT(lines.front(), HasSubstr("upwards"));
  EXPECT_THAT(lines[lines.size() - 2], HasSubstr("across"));
  EXPECT_THAT(lines.back(), HasSubstr("R: clang-Oz"));
}

TEST(CharactersTest, LinesKeepToTheWidthWhateverIsSeen) {
  Scatter scatter{.front = {{123456789, 5}, {123456790, 4}},
                  .reference = {123456789, 987654321},
                  .reference_name = "clang-O3"};
  for (int i = 0; i < 100; ++i) scatter.cloud.emplace_back(1e9 + i, 1e9 * i);
  for (const std::size_t width : {72u, 80u}) {
    for (const std::string& line : linesOf(characterPlot(scatter, kLabels, width)))
      EXPECT_LE(line.size(), width) << line;
  }
}

TEST(CharactersTest, OnePointAndManyAreDrawn) {
  const Scatter one{.front = {{7, 7}}, .reference = {7, 7}, .reference_name = "b"};
  EXPECT_NE(placeOf(linesOf(characterPlot(one, kLabels, 72)), '1').first, 0u) << "over the reference";
  Scatter many{.front = {}, .reference = {20, 20}, .reference_name = "b"};
  for (int i = 0; i < 12; ++i) many.front.emplace_back(i, 11 - i);
  const std::vector<std::string> lines = linesOf(characterPlot(many, kLabels, 80));
  EXPECT_NE(placeOf(lines, '9').first, 0u);
  EXPECT_NE(placeOf(lines, 'c').first, 0u);
}

}  // namespace
}  // namespace ordo::report
