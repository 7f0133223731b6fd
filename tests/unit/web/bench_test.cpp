#include "web/bench.h"

#include <gmock/gmock.h>

#include "tests/unit/web/fixture.h"
#include "web/answers.h"

namespace ordo::web {
namespace {

using BenchTest = BenchFixture;

TEST_F(BenchTest, TheProgramIsOpenWithTheBaselineMeasured) {
  EXPECT_EQ(bench_->program.objective(), "ir_instructions");
  EXPECT_LT(bench_->program.baselineValue(), bench_->program.startValue());
}

// What a run said of the program ("profile") is in its recipe and in no space.
TEST_F(BenchTest, ActionsThatOnlyARecipeHasAreAppliedAsAnyOther) {
  ProgramSpec of_recipe = spec();
  recipe::Recipe recipe;
  recipe.actions = {{"sroa", "pipeline", "sroa"}, {"profile", "pipeline", "default<Oz>"}};
  of_recipe.actions = {"sroa", "profile"};
  of_recipe.recipe = recipe;
  const auto opened = Bench::open(of_recipe);
  ASSERT_TRUE(opened) << opened.error().message;
  Bench& bench = **opened;
  const auto at = [&](const std::vector<std::string>& names) {
    return (*bench.states.along(*bench.program.read(names))).back()->value;
  };
  EXPECT_LT(at({"sroa", "profile"}), at({"sroa"}));
  EXPECT_EQ(bench.program.actions().size(), bench_->program.actions().size() + 1) << "sroa is of the space";
  const Json body{{"actions", {"sroa", "profile"}}};
  EXPECT_TRUE(stockLines(bench, *bench.program.read({"sroa", "profile"}), *JsonObject::of(body, "the body")));
}

TEST_F(BenchTest, WhatCannotBeOpenedIsAnError) {
  ProgramSpec missing = spec();
  missing.file = "/proc/nonexistent.c";
  EXPECT_FALSE(Bench::open(missing));
  ProgramSpec unknown = spec();
  unknown.actions = {"no-such"};
  const auto bench = Bench::open(unknown);
  ASSERT_FALSE(bench);
  EXPECT_THAT(bench.error().message, testing::HasSubstr("no-such"));
}

}  // namespace
}  // namespace ordo::web
