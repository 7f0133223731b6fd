#include "report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

namespace ordo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<Series> manySeries(int count) {
  std::vector<Series> series;
  for (int i = 0; i < count; ++i)
    series.push_back({"method " + std::to_string(i), {1, 10, 100}, {0, 0.01 * i, 0.02 * i}});
  return series;
}

// The y of every text that starts with "method".
std::vector<double> labelPlaces(const std::string& svg) {
  const std::regex label("y=\"([0-9.]+)\" text-anchor=\"start\"[^>]*>method");
  std::vector<double> places;
  for (std::sregex_iterator at(svg.begin(), svg.end(), label), end; at != end; ++at)
    places.push_back(std::stod((*at)[1]));
  return places;
}

TEST(PlotTest, MarkupInNamesIsText) {
  EXPECT_EQ(escaped("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
  EXPECT_THAT(linePlot({{"<b>", {1, 2}, {0, 1}}}, {"", "", ""}), Not(HasSubstr("<b>")));
}

TEST(PlotTest, LabelsDoNotCoverEachOther) {
  std::vector<Series> series = manySeries(16);
  for (Series& line : series) line.y.back() = 0.2;  // all end in the same place
  std::vector<double> places = labelPlaces(linePlot(series, {"", "", ""}));
  ASSERT_EQ(places.size(), 16u);
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 14);
}

TEST(PlotTest, NoTwoSeriesLookTheSame) {
  const std::string svg = linePlot(manySeries(24), {"", "", ""});
  const std::regex line("stroke=\"([^\"]+)\" stroke-width=\"1.8\" stroke-dasharray=\"([^\"]+)\"");
  std::set<std::string> looks;
  for (std::sregex_iterator at(svg.begin(), svg.end(), line), end; at != end; ++at)
    looks.insert((*at)[1].str() + (*at)[2].str());
  EXPECT_EQ(looks.size(), 24u);
}

TEST(PlotTest, EverythingIsWithinThePicture) {
  const std::string svg =
      intervalPlot({{"a", 0.1, Interval{-0.4, 0.5}, "+10 %"}, {"b", 0, {}, "0 %"}}, {"t", "x", ""});
  std::smatch box;
  ASSERT_TRUE(std::regex_search(svg, box, std::regex("viewBox=\"0 0 ([0-9]+) ([0-9]+)\"")));
  const std::regex coordinate("(x|y|x1|x2|y1|y2|cx|cy)=\"(-?[0-9.]+)\"");
  for (std::sregex_iterator at(svg.begin(), svg.end(), coordinate), end; at != end; ++at) {
    const double value = std::stod((*at)[2]);
    const bool horizontal = (*at)[1].str().find('x') != std::string::npos;
    EXPECT_GE(value, 0) << at->str();
    EXPECT_LE(value, std::stod(box[horizontal ? 1 : 2])) << at->str();
  }
}

TEST(PlotTest, NothingAndFlatLinesArePlotsToo) {
  EXPECT_THAT(linePlot({}, {"", "", ""}), HasSubstr("Nothing"));
  const std::string flat = linePlot({{"a", {1, 10}, {0, 0}}}, {"", "", ""});
  EXPECT_THAT(flat, Not(HasSubstr("nan")));
  EXPECT_THAT(intervalPlot({}, {"", "", ""}), Not(HasSubstr("nan")));
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(PlotTest, AScatterPlotIsAFileWithItsFrontNumbered) {
  Scatter scatter{.front = {{100, 9}, {110, 5}}, .reference = {120, 10}, .reference_name = "clang-Oz"};
  for (int i = 0; i < 5000; ++i) scatter.cloud.emplace_back(100 + i % 50, 6);
  scatter.cloud.emplace_back(1e6, 1e6);
  const std::string svg = scatterPlot(scatter, {"a < b", "across", "upwards"});
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, Not(HasSubstr("var("))) << "not everything that draws a file knows CSS";
  EXPECT_THAT(svg, HasSubstr("a &lt; b; square: clang-Oz"));
  for (const char* words : {">1<", ">2<", ">across<", ">upwards<"}) EXPECT_THAT(svg, HasSubstr(words));
  EXPECT_EQ(count(svg, "<circle"), 2u);
  EXPECT_EQ(count(svg, "h0M") + 1, 28u) << "one dot for each place in the window, which ends at 127";
  EXPECT_EQ(count(svg, "fill=\"none\""), 1u);
  scatter.stairs = false;
  EXPECT_EQ(count(scatterPlot(scatter, {"", "", ""}), "fill=\"none\""), 0u);
}

TEST(PlotTest, TheWindowHoldsFrontAndReference) {
  for (const Scatter& scatter :
       {Scatter{.front = {{1, 1}}, .reference = {1, 1}, .reference_name = ""},
        Scatter{.front = {{0, 5}, {2, 3}}, .reference = {9, 1}, .reference_name = ""}}) {
    const auto [low, high] = scatter.window();
    std::vector<Scatter::Dot> all = scatter.front;
    all.push_back(scatter.reference);
    for (const auto& [x, y] : all)
      EXPECT_TRUE(low.first < x && x < high.first && low.second < y && y < high.second);
  }
}

}  // namespace
}  // namespace ordo::report
