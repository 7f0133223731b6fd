// What may be chosen never fails, and the traps of MLIR 22.1.8 that the model and the pipeline go round.
#include "mlir/lowering/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "mlir/lowering/trial.h"
#include "mlir/model/transform_text.h"
#include "tests/fakes/kernel_graphs.h"
#include "tests/fakes/kernel_texts.h"
#include "tests/fakes/kernels.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::lowering {
namespace {

using testing::HasSubstr;

class CompileTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { workshop_ = std::make_unique<Workshop>(); }
  static void TearDownTestSuite() { workshop_.reset(); }

  // Random legal schedules are applied, and every tenth is run and compared: 120, or ORDO_SCHEDULES (`./ordo
  // campaign schedules`), of which all are run.
  static void tryAtRandom(const char* text, int usually = 120) {
    const char* const asked = std::getenv("ORDO_SCHEDULES");
    const int schedules = asked ? std::atoi(asked) : usually, compiled = asked ? 1 : 10;
    const Result<Payload> payload = workshop_->read("kernel", text);
    ASSERT_TRUE(payload) << payload.error().message;
    const auto trial = Trial::create(*workshop_, *payload);
    ASSERT_TRUE(trial) << trial.error().message;
    const auto kernel = std::make_shared<const model::Kernel>(payload->kernel);
    for (int i = 0; i < schedules; ++i) {
      Rng rng(static_cast<std::uint64_t>(i));
      const model::Schedule schedule = fakes::randomSchedule(kernel, rng);
      SCOPED_TRACE(model::stepsText(schedule.steps()));
      const std::string sequence = model::transformText(schedule);
      if (i % compiled != 0) {
        const Result<std::string> applied = workshop_->apply(*payload, sequence);
        EXPECT_TRUE(applied) << applied.error().message;
        continue;
      }
      const Result<std::unique_ptr<Code>> code = compile(*workshop_, *payload, sequence);
      ASSERT_TRUE(code) << code.error().message;
      EXPECT_EQ((*trial)->problemOf(**code), "");
    }
  }

  static inline std::unique_ptr<Workshop> workshop_;
};

TEST_F(CompileTest, WhatMayBeChosenNeverFailsOfAMatmul) { tryAtRandom(fakes::kMatmulText); }
TEST_F(CompileTest, WhatMayBeChosenNeverFailsOfAConvolution) { tryAtRandom(fakes::kConvolutionText); }
TEST_F(CompileTest, WhatMayBeChosenNeverFailsOfLayers) { tryAtRandom(fakes::kLayersText); }

TEST_F(CompileTest, WhatMayBeChosenNeverFailsOfRows) { tryAtRandom(fakes::kRowsText); }

// The schedules of ./ordo campaign schedules: as exporters write kernels, with several types on the way.
class CompileGraphTest : public CompileTest, public testing::WithParamInterface<const char*> {};

TEST_P(CompileGraphTest, WhatMayBeChosenNeverFails) { tryAtRandom(GetParam(), 20); }

TEST_P(CompileGraphTest, WhatIsGivenAwayIsRightOnAllKindsOfInputs) {
  const Result<Payload> payload = workshop_->read("kernel", GetParam());
  ASSERT_TRUE(payload) << payload.error().message;
  const auto trial = Trial::create(*workshop_, *payload);
  ASSERT_TRUE(trial) << trial.error().message;
  for (const model::StepType type : {model::StepType::kFair, model::StepType::kGreedy}) {
    model::Schedule schedule(std::make_shared<const model::Kernel>(payload->kernel));
    schedule.apply({type, {}});
    const Result<std::string> object = emitObject(*workshop_, *payload, model::transformText(schedule));
    ASSERT_TRUE(object) << object.error().message;
    const Result<std::string> problem = (*trial)->problemOf(*object, 1);
    ASSERT_TRUE(problem) << problem.error().message;
    EXPECT_EQ(*problem, "") << model::stepsText(schedule.steps());
  }
}

INSTANTIATE_TEST_SUITE_P(All, CompileGraphTest, testing::ValuesIn(fakes::kGraphs));

// What is computed on the way lies in one place for each turn of a loop that is dealt out.
TEST_F(CompileTest, WhatIsDealtOutRunsOnThreads) {
  if (sandbox::kSanitized) GTEST_SKIP() << "sanitizers do not see how OpenMP's library hands work over";
  for (const char* text : {fakes::kMatmulText, fakes::kLayersText, fakes::kRowsText}) {
    const Payload payload = *workshop_->read("kernel", text);
    const auto trial = Trial::create(*workshop_, payload);
    ASSERT_TRUE(trial) << trial.error().message;
    const auto kernel = std::make_shared<const model::Kernel>(payload.kernel);
    int found = 0;
    for (std::uint64_t seed = 0; found < 6 && seed < 2000; ++seed) {
      Rng rng(seed);
      const model::Schedule schedule = fakes::randomSchedule(kernel, rng);
      SCOPED_TRACE(model::stepsText(schedule.steps()));
      if (std::ranges::find(schedule.steps(), model::StepType::kParallel, &model::Step::type) ==
          schedule.steps().end())
        continue;
      ++found;
      const auto code = compile(*workshop_, payload, model::transformText(schedule), {.threads = 3});
      if (!code && code.error().code == ErrorCode::kUnavailable) GTEST_SKIP() << code.error().message;
      ASSERT_TRUE(code) << code.error().message;
      for (int again = 0; again < 5; ++again) EXPECT_EQ((*trial)->problemOf(**code), "");
    }
    EXPECT_EQ(found, 6);
  }
}

TEST_F(CompileTest, AHandleThatIsGoneIsAnErrorAndNoCrash) {
  const Payload payload = *workshop_->read("matmul", fakes::kMatmulText);
  const Result<std::string> applied =
      workshop_->apply(payload, R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %m : !transform.any_op
    transform.yield
  }
})");
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, HasSubstr("handle"));
}

TEST_F(CompileTest, ObjectsAreForC) {
  const Result<std::string> object =
      emitObject(*workshop_, *workshop_->read("matmul", fakes::kMatmulText), "");
  ASSERT_TRUE(object) << object.error().message;
  EXPECT_TRUE(
      object->starts_with("\x7f"
                          "ELF"));
  EXPECT_THAT(*object, HasSubstr("matmul"));
}

TEST_F(CompileTest, ASequenceThatIsNoneIsSaid) {
  const Payload payload = *workshop_->read("matmul", fakes::kMatmulText);
  EXPECT_EQ(workshop_->apply(payload, "module {}").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(workshop_->apply(payload, "nonsense").error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::lowering
