#include "web/states.h"

#include <gtest/gtest.h>

#include "tests/unit/web/fixture.h"

namespace ordo::web {
namespace {

using StatesTest = BenchFixture;

TEST_F(StatesTest, EachStateHasItsValueItsFeaturesAndWhatThePolicyPrefers) {
  States states(bench_->program);
  const auto along = states.along(sequence({"sroa", "sroa"}));
  ASSERT_TRUE(along) << along.error().message;
  ASSERT_EQ(along->size(), 3u);
  EXPECT_EQ((*along)[0]->value, bench_->program.startValue());
  EXPECT_LT((*along)[1]->value, (*along)[0]->value);
  EXPECT_EQ((*along)[1]->hash, (*along)[2]->hash);
  EXPECT_EQ((*along)[0]->features.size(), 56u);
  ASSERT_FALSE((*along)[1]->preferred.empty()) << states.noPolicy();
  double sum = 0;
  for (const State::Choice& choice : (*along)[1]->preferred) sum += choice.probability;
  EXPECT_NEAR(sum, 1, 1e-6);  // probabilities in double precision
}

TEST_F(StatesTest, AStateIsTheSameHoweverItWasComeTo) {
  States straight(bench_->program), around(bench_->program);
  const search::Sequence there = sequence({"sroa", "early-cse<memssa>", "gvn"});
  ASSERT_TRUE(around.along(sequence({"sroa", "gvn"})));
  ASSERT_TRUE(around.ir(sequence({"sroa", "early-cse<memssa>"})));
  ASSERT_TRUE(around.opinion(sequence({"sroa"}), "stop"));
  EXPECT_EQ((*straight.along(there)).back()->hash, (*around.along(there)).back()->hash);
}

TEST_F(StatesTest, AnOpinionAgreesWithThePreferences) {
  States states(bench_->program);
  const search::Sequence here = sequence({"sroa"});
  const State& state = *states.along(here)->back();
  const auto opinion = states.opinion(here, state.preferred[1].name);
  ASSERT_TRUE(opinion) << opinion.error().message;
  EXPECT_EQ(opinion->rank, 2u);
  EXPECT_NEAR(opinion->probability, state.preferred[1].probability, 1e-9);  // the same sums
  EXPECT_FALSE(states.opinion(here, "no-such"));
}

TEST_F(StatesTest, ATextAndTheStateItIsOfTakeOnePassInEitherOrder) {
  const search::Sequence here = sequence({"sroa", "gvn"}), next = sequence({"sroa", "gvn", "inline"});
  States text_first(bench_->program), state_first(bench_->program);
  for (States* states : {&text_first, &state_first}) ASSERT_TRUE(states->along(here));
  ASSERT_TRUE(text_first.ir(next));
  ASSERT_TRUE(text_first.along(next));
  ASSERT_TRUE(state_first.along(next));
  ASSERT_TRUE(state_first.ir(next));
  EXPECT_EQ(text_first.sessions().replayed(), 0u);
  EXPECT_EQ(state_first.sessions().replayed(), 0u);
}

TEST_F(StatesTest, TheTextIsThatOfTheState) {
  States states(bench_->program);
  EXPECT_NE(states.ir({})->find("alloca"), std::string::npos);
  EXPECT_EQ(states.ir(sequence({"sroa"}))->find("alloca"), std::string::npos);
  EXPECT_EQ(*states.ir({}), *states.ir({}));
  EXPECT_NE(states.assembly({})->find("main:"), std::string::npos);
  EXPECT_EQ(*states.assembly({}), *states.assembly({}));
}

}  // namespace
}  // namespace ordo::web
