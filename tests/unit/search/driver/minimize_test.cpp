#include "search/driver/minimize.h"

#include <gtest/gtest.h>

#include "support/rng.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

std::unique_ptr<Evaluator> openEvaluator(fakes::ToyBackend& backend, const env::SessionSpec& spec,
                                         EvaluatorOptions options = {}) {
  auto opened = Evaluator::open(backend, spec, {.metric = "count", .screen = ""}, std::move(options));
  return *std::move(opened);
}

TEST(MinimizeTest, RemovesWhatDoesNotMatter) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"noop", "dec", "enable", "inc"}));
  const Evaluation winner = evaluator->evaluateOne({0, 2, 0, 0, 3, 1, 0, 1, 2, 0, 0, 1, 0, 0});
  const Evaluation shorter = minimize(*evaluator, winner);
  EXPECT_EQ(shorter.actions, (Sequence{2, 1, 1, 1}));
  EXPECT_LT(shorter.value, winner.value) << "the inc went as well";
}

TEST(MinimizeTest, OfInteractingActionsOneMayStay) {
  fakes::ToyBackend backend;
  // Either dec-if-even can go, but not both.
  auto evaluator = openEvaluator(backend, fakes::toySpec(3, {"dec", "dec-if-even"}));
  const Evaluation winner = evaluator->evaluateOne({0, 1, 1});
  EXPECT_EQ(winner.value, 1);
  const Evaluation shorter = minimize(*evaluator, winner);
  EXPECT_EQ(shorter.value, 1);
  EXPECT_EQ(shorter.actions.size(), 2u);
}

TEST(MinimizeTest, NothingIsLeftOfASequenceWithoutEffect) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"noop"}));
  EXPECT_TRUE(minimize(*evaluator, evaluator->evaluateOne(Sequence(17, 0))).actions.empty());
  EXPECT_TRUE(minimize(*evaluator, evaluator->evaluateOne({})).actions.empty());
}

TEST(MinimizeTest, GivesWhatItHasWhenTheBudgetEnds) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, fakes::toySpec(100, {"noop", "dec"}));
  const Evaluation winner = evaluator->evaluateOne({0, 0, 0, 0, 1, 0, 0, 0});
  evaluator->limit({.evaluations = 3});
  const Evaluation shorter = minimize(*evaluator, winner);
  EXPECT_EQ(shorter.value, winner.value);
  EXPECT_EQ(shorter.actions, (Sequence{0, 0, 0, 1, 0, 0, 0})) << "what was learned is kept";
}

TEST(MinimizeTest, IsNeverWorseNeverLongerAndLeavesNothingNeedless) {
  std::vector<std::string> names = fakes::kToyActions;
  names.push_back("crash");
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    fakes::ToyBackend backend;
    auto evaluator =
        openEvaluator(backend, fakes::toySpec(static_cast<std::int64_t>(rng.between(1, 500)), names),
                      {.jobs = seed % 3 == 0 ? 2u : 1u});
    Sequence sequence(rng.between(0, 40));
    for (env::ActionIndex& action : sequence) action = static_cast<env::ActionIndex>(rng.below(6));
    const Evaluation winner = evaluator->evaluateOne(sequence);
    const Evaluation shorter = minimize(*evaluator, winner);
    ASSERT_TRUE(shorter.measured());
    EXPECT_LE(shorter.value, winner.value);
    EXPECT_LE(shorter.actions.size(), winner.actions.size());
    for (std::size_t i = 0; i < shorter.actions.size(); ++i) {
      Sequence rest = shorter.actions;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_GT(evaluator->evaluateOne(rest).value, shorter.value);
    }
  }
}

}  // namespace
}  // namespace ordo::search
