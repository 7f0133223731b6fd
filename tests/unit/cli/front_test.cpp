#include "cli/front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

tune::Pareto frontOf(std::vector<std::pair<double, double>> points) {
  tune::Pareto front;
  front.metrics = {"ir_instructions", "text_bytes"};
  front.baseline = {200, 3000};
  for (const auto& [instructions, bytes] : points) {
    tune::Tuned& tuned = front.points.emplace_back();
    tuned.recipe.program = "p";
    tuned.recipe.baseline = "clang-Oz";
    tuned.recipe.tested = "4 tests passed";
    tuned.recipe.figures = {{"ir_instructions", 200, 0, instructions}, {"text_bytes", 3000, 0, bytes}};
    front.seen.insert({instructions, bytes});
  }
  front.found = 5;
  return front;
}

const FrontFiles kFiles{{{"p.pareto-1.o", "p.pareto-1.ordo.json"}, {"p.pareto-2.o", "p.pareto-2.ordo.json"}},
                        "p.pareto.svg"};

TEST(FrontTest, SaysHowEachPointComparesAndWhereItIs) {
  const std::string text = frontText(frontOf({{150, 3100}, {180, 2700}}), kFiles);
  EXPECT_THAT(text, HasSubstr("2 points, of 5 on the front"));
  EXPECT_THAT(text, HasSubstr("-25.00 %"));
  EXPECT_THAT(text, HasSubstr("3 100   +3.33 %"));
  EXPECT_THAT(text, HasSubstr("R: clang-Oz"));
  EXPECT_THAT(text, HasSubstr("tested           4 tests passed\n"));
  EXPECT_THAT(text, HasSubstr("p.pareto-1.o, p.pareto-1.ordo.json … p.pareto-2.ordo.json"));
  EXPECT_THAT(text, HasSubstr("p.pareto.svg"));
  EXPECT_THAT(text, Not(HasSubstr("refused")));
}

TEST(FrontTest, WhatWasRefusedIsSaid) {
  tune::Pareto front = frontOf({{150, 3100}});
  front.refused.push_back({{"a", "b"}, "1 of 4 tests failed"});
  EXPECT_THAT(frontText(front, kFiles), HasSubstr("a point of 2 passes: 1 of 4 tests failed"));
}

TEST(FrontTest, JsonHasTheValuesInTheOrderOfTheMetrics) {
  const Json json = toJson(frontOf({{150, 3100}, {180, 2700}}), kFiles);
  EXPECT_EQ(json["metrics"], Json({"ir_instructions", "text_bytes"}));
  EXPECT_EQ(json["points"][1]["values"], Json({180.0, 2700.0}));
  EXPECT_EQ(json["points"][1]["recipe_file"], "p.pareto-2.ordo.json");
  EXPECT_EQ(json["points"][0]["recipe"]["program"]["name"], "p");
  EXPECT_EQ(json["seen"], 2);
}

}  // namespace
}  // namespace ordo::cli
