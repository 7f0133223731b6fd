#include "agent/opened_program.h"

#include <gmock/gmock.h>

#include "tests/unit/agent/fixture.h"

namespace ordo::agent {
namespace {

using testing::HasSubstr;

class OpenedProgramTest : public HostFixture {};

TEST_F(OpenedProgramTest, BeginsWithTheBaselineAsTheBest) {
  const OpenedProgram& program = *host_->find(open());
  EXPECT_EQ(program.best().actions, search::Sequence{program.baseline()});
  EXPECT_EQ(program.best().value, program.baselineValue());
  EXPECT_GT(program.startValue(), program.baselineValue());
  EXPECT_EQ(program.gain(program.baselineValue()), 0);
  EXPECT_EQ(program.spent().compiles, 0);
}

TEST_F(OpenedProgramTest, NamesAndIndicesAreTheSame) {
  const OpenedProgram& program = *host_->find(open());
  const Result<search::Sequence> sequence = program.read({"sroa", "gvn", "clang-Oz"});
  ASSERT_TRUE(sequence);
  EXPECT_EQ(program.names(*sequence), (std::vector<std::string>{"sroa", "gvn", "clang-Oz"}));
  EXPECT_THAT(program.read({"srao"}).error().message, HasSubstr("did you mean 'sroa'"));
}

TEST_F(OpenedProgramTest, ASearchKnowsWhatWasMeasuredAndTheOtherWayRound) {
  OpenedProgram& program = *host_->find(open(40));
  double answers = 0;
  const auto found = program.search(*search::find("random"), {}, 20, 3,
                                    [&](double so_far, const search::Evaluation&) { answers = so_far; });
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_GE(answers, 17) << "the rest is for what was found, if anything was";
  EXPECT_LE(found->best.value, program.baselineValue());
  const double compiles = program.spent().compiles;
  EXPECT_EQ(program.measure(found->best.actions)->value, found->best.value);
  EXPECT_EQ(program.spent().compiles, compiles) << "it is known";
  EXPECT_LE(program.best().value, found->best.value);
}

TEST_F(OpenedProgramTest, AValueHoldsForAFreshReplay) {
  OpenedProgram& program = *host_->find(open());
  const search::Sequence sequence = *program.read({"sroa", "early-cse", "simplifycfg"});
  const auto measured = program.measure(sequence);
  ASSERT_TRUE(measured);
  const auto state = program.reach(sequence);
  ASSERT_TRUE(state);
  EXPECT_EQ(*engine::measured(*state, "ir_instructions"), measured->value);
}

TEST_F(OpenedProgramTest, RunTimeIsNoObjectiveOfTools) {
  OpenRequest request{.file = file(), .objective = "runtime"};
  const auto opened = host_->open(request);
  ASSERT_FALSE(opened);
}

}  // namespace
}  // namespace ordo::agent
