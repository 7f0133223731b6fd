#include "search/driver/decide.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

std::unique_ptr<Evaluator> openEvaluator(fakes::ToyBackend& backend, const env::SessionSpec& spec,
                                         EvaluatorOptions options = {}) {
  return *Evaluator::open(backend, spec, {.metric = "count", .screen = ""}, std::move(options));
}

// Two actions for searchers, then three places: the first has a good way and a bad one, the second two bad
// ones, the third two good ones.
const std::vector<std::string> kActions = {"dec", "noop", "enable", "inc", "inc", "break", "dec", "dec,dec"};
const std::vector<Decisions> kPlaces = {{2, 3}, {4, 5}, {6, 7}};

TEST(DecideTest, TakesWhatHelpsInFrontOfTheWinner) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, kActions));
  SearchContext context(*evaluator, {evaluator->evaluateOne({0, 0})}, 60, Rng(1), {}, {}, 2);
  EXPECT_EQ(context.actions().size(), 2u);
  decide(context, kPlaces);
  // Enabled, all decs of the winner count three times, so that it is the most helpful.
  EXPECT_EQ(context.best().actions, (Sequence{2, 7, 0, 0}));
  auto session = backend.open(evaluator->spec());
  ASSERT_TRUE((*session)->apply(context.best().actions)->ok());
  EXPECT_EQ((*session)->measure("count")->value, context.best().value);
}

TEST(DecideTest, WhatHelpsAloneAndNotTogetherIsLeftAlone) {
  fakes::ToyBackend backend;
  // 6: one of them makes 4 of it, which is halved; both make 2.
  auto evaluator =
      openEvaluator(backend, fakes::toySpec(6, {"halve-if-multiple-of-4", "dec,dec", "dec,dec"}));
  SearchContext context(*evaluator, {evaluator->evaluateOne({0})}, 60, Rng(1), {}, {}, 1);
  ASSERT_EQ(context.best().value, 6);
  decide(context, std::vector<Decisions>{{1}, {2}});
  EXPECT_EQ(context.best().value, 2);
  EXPECT_LE(context.best().actions.size(), 3u);
}

TEST(DecideTest, NothingIsTriedWithoutRoomOrTime) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, kActions));
  const Evaluation winner = evaluator->evaluateOne({0, 0});
  SearchContext full(*evaluator, {winner}, 2, Rng(1), {}, {}, 2);
  decide(full, kPlaces);
  EXPECT_EQ(full.best().actions, winner.actions);
  SearchContext over(*evaluator, {winner}, 60, Rng(1), {}, {}, 2);
  evaluator->limit({.evaluations = 1});
  decide(over, kPlaces);
  EXPECT_EQ(over.best().actions, winner.actions);
  EXPECT_EQ(evaluator->statistics().evaluations, 1u);
}

TEST(DecideTest, ManyPlacesOnSeveralLanesNeverMakeItWorse) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    std::vector<std::string> actions = {"dec", "halve-if-multiple-of-4"};
    std::vector<Decisions> places;
    const std::vector<std::string> kinds = {"dec", "inc", "enable", "break", "crash", "dec-if-even", "noop"};
    for (int place = 0; place < 40; ++place) {
      const auto first = static_cast<env::ActionIndex>(actions.size());
      places.push_back({first, first + 1});
      for (int way = 0; way < 2; ++way) actions.push_back(kinds[rng.below(kinds.size())]);
    }
    fakes::ToyBackend backend;
    auto evaluator = openEvaluator(backend, fakes::toySpec(500, actions), {.jobs = 2});
    SearchContext context(*evaluator, {evaluator->evaluateOne({0, 1})}, 30, Rng(1), {}, {}, 2);
    const double before = context.best().value;
    decide(context, places);
    EXPECT_LE(context.best().value, before);
    EXPECT_LE(context.best().actions.size(), 30u);
    for (const Decisions& ways : places) {
      const Sequence& found = context.best().actions;
      EXPECT_LE(std::ranges::count(found, ways[0]) + std::ranges::count(found, ways[1]), 1);
    }
  }
}

}  // namespace
}  // namespace ordo::search
