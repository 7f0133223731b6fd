#include "timing/field_experiment.h"

#include <gtest/gtest.h>

#include "tests/fakes/experiment_conformance.h"
#include "tests/fakes/toy_experiment.h"
#include "tests/unit/timing/fake_field.h"
#include "timing/selection.h"

namespace ordo::timing {
namespace {

TEST(ExperimentConformance, ProgramsOnThisMachine) {
  FakeField field({0.3, 0, -0.3, 0.5});
  field.wrong = {3};
  FieldExperiment experiment(field, field.clock(), {.resamples = 400});
  fakes::expectConformance(experiment, {}, 40);
}

TEST(ExperimentConformance, NumbersOfAToy) {
  fakes::ToyExperiment experiment({0.3, 0, -0.3, std::nan("")});
  fakes::expectConformance(experiment, {}, 40);
}

// Races and selections need no programs.
TEST(FieldExperimentTest, WhoeverChoosesSeesTheContractOnly) {
  fakes::ToyExperiment experiment({0, 0.1, -0.1, std::nan(""), 0.02});
  const Result<Selection> selection = select(experiment, experiment.clock, {.budget_s = 60, .seed = 2});
  ASSERT_TRUE(selection) << selection.error().message;
  EXPECT_EQ(selection->verdict, env::Verdict::kBetter) << selection->why;
  EXPECT_EQ(selection->candidate, 1u);
  EXPECT_EQ(experiment.answers, 2u);
  EXPECT_NEAR(selection->last.effect->value, 0.1, 0.02);
}

TEST(FieldExperimentTest, AnInterruptedGlanceSaysNothing) {
  FakeField field({0.3});
  field.stop = true;
  FieldExperiment experiment(field, field.clock(), {.stop = &field.stop});
  Rng rng(1);
  const Result<env::Glance> glance = experiment.glance(0, rng);
  ASSERT_TRUE(glance);
  EXPECT_FALSE(glance->value);
  EXPECT_EQ(glance->failure, "");
}

}  // namespace
}  // namespace ordo::timing
