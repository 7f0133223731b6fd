#include "env/episode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "notation/action.h"
#include "support/rng.h"
#include "tests/fakes/mask_conformance.h"
#include "tests/fakes/schedule_session.h"
#include "tests/unit/env/episode_fixture.h"

namespace ordo::env {
namespace {

class EpisodeTest : public testing::Test {
 protected:
  std::vector<std::uint8_t> maskOf(const Episode& episode) {
    std::vector<std::uint8_t> mask(episode.spec().choices());
    episode.mask(mask);
    return mask;
  }

  fakes::ToyBackend toy_;
};

TEST_F(EpisodeTest, PaysWhatTheMetricLost) {
  Episode episode(toyEpisodes(toy_));
  EXPECT_EQ(value(episode.reset(toyProgram(100))).metric, 100);
  EXPECT_EQ(value(episode.step(kDec)).reward, 1);
  EXPECT_EQ(value(episode.step(kInc)).reward, -1);
  EXPECT_EQ(value(episode.step(kHalve)).reward, 50);
  EXPECT_EQ(episode.totalReward(), 50);
  EXPECT_EQ(episode.observation(0).int64s()[0], 50);
}

// The sum over an episode is (C(0) - C(T)) / S, whatever the unit and whenever it is paid.
TEST_F(EpisodeTest, ReturnsTheSameWheneverItPays) {
  const std::pair<const char*, double> units[] = {
      {"count", 1}, {"count/initial", 64}, {"count/clang-Oz", 32}, {"count/gap:clang-Oz", 32}};
  for (const auto& [unit, scale] : units) {
    for (const char* when : {"", "@end"}) {
      Episode episode(toyEpisodes(toy_, fmt::format("{}{}", unit, when).c_str()));
      value(episode.reset(toyProgram(64)));
      Rng rng(5);
      double sum = 0;
      for (bool done = false; !done;) {
        const EpisodeStep step = value(episode.step(static_cast<std::uint32_t>(rng.below(kBreak))));
        sum += step.reward;
        done = step.done();
        if (!done && *when != 0) {
          EXPECT_EQ(step.reward, 0);
        }
      }
      const double left = value(episode.session().measure("count")).value;
      EXPECT_NEAR(sum, (64 - left) / scale, 1e-12) << unit << when;
      EXPECT_NEAR(episode.totalReward(), sum, 1e-12);
    }
  }
}

TEST_F(EpisodeTest, EndsByTheStopActionOrAtTheLimit) {
  Episode episode(toyEpisodes(toy_));
  value(episode.reset(toyProgram(10)));
  const EpisodeStep stop = value(episode.step(kStop));
  EXPECT_EQ(stop.ending, Ending::kStopped);
  EXPECT_TRUE(stop.terminated());
  EXPECT_EQ(episode.actions().size(), 0u);
  value(episode.reset(toyProgram(10)));
  EpisodeStep step;
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(step.done());
    step = value(episode.step(kNoop));
  }
  EXPECT_TRUE(step.truncated());
  EXPECT_FALSE(step.terminated());
}

TEST_F(EpisodeTest, WhatDidNothingIsMaskedInThatStateOnly) {
  Episode episode(toyEpisodes(toy_));
  value(episode.reset(toyProgram(99)));
  EXPECT_FALSE(value(episode.step(kHalve)).changed);
  EXPECT_EQ(maskOf(episode)[kHalve], 0);
  value(episode.step(kDec));
  EXPECT_EQ(maskOf(episode)[kHalve], 1);
  // The way back is another name for the same state, which costs a try and harms nobody.
  value(episode.reset(toyProgram(99)));
  EXPECT_EQ(maskOf(episode)[kHalve], 0) << "remembered across episodes";
  EXPECT_EQ(maskOf(episode)[kStop], 1);
}

TEST_F(EpisodeTest, ACrashEarnsNothingAndIsMasked) {
  Episode episode(toyEpisodes(toy_));
  value(episode.reset(toyProgram(100)));
  const EpisodeStep step = value(episode.step(kCrash));
  EXPECT_EQ(step.status, StepStatus::kCrashed);
  EXPECT_EQ(step.reward, 0);
  EXPECT_FALSE(step.done());
  EXPECT_EQ(maskOf(episode)[kCrash], 0);
  EXPECT_EQ(episode.actions().size(), 0u);
  EXPECT_EQ(value(episode.step(kDec)).reward, 1);
}

TEST_F(EpisodeTest, ABrokenProgramIsUndoneWhereEveryStepIsVerified) {
  auto spec = toyEpisodes(toy_);
  spec->verify_each = true;
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  value(episode.step(kDec));
  const EpisodeStep step = value(episode.step(kBreak));
  EXPECT_EQ(step.status, StepStatus::kVerifierFailed);
  EXPECT_EQ(step.reward, 0);
  EXPECT_EQ(episode.actions(), std::vector<ActionIndex>{kDec});
  EXPECT_EQ(maskOf(episode)[kBreak], 0);
  EXPECT_EQ(value(episode.step(kStop)).ending, Ending::kStopped);
}

// Some passes follow addresses: what worked may crash when it is replayed. One program is lost, no more.
TEST_F(EpisodeTest, AProgramThatCannotBeMadeAgainEndsTheEpisode) {
  auto spec = toyEpisodes(toy_);
  spec->verify_each = true;
  spec->actions.push_back({"brittle", notation::kPipeline, "brittle"});
  spec->safe.push_back(1);
  const auto brittle = static_cast<std::uint32_t>(spec->actions.size() - 1);
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  EXPECT_EQ(value(episode.step(kDec)).reward, 1);
  EXPECT_EQ(value(episode.step(brittle)).status, StepStatus::kOk);
  const EpisodeStep step = value(episode.step(kBreak));
  EXPECT_EQ(step.ending, Ending::kBroken);
  EXPECT_EQ(step.status, StepStatus::kVerifierFailed);
  EXPECT_EQ(step.reward, -1);
  EXPECT_EQ(episode.totalReward(), 0);
  EXPECT_EQ(episode.observation(0).int64s().size(), 4u);
  EXPECT_NE(step.detail.find("2 actions that worked before do not work again"), std::string::npos);
  EXPECT_EQ(value(episode.reset(toyProgram(50))).ending, Ending::kNone);
  EXPECT_EQ(value(episode.step(kDec)).reward, 1);
}

TEST_F(EpisodeTest, AnExperimentIsAskedAtTheEndOnly) {
  Episode episode(toyEpisodes(toy_, "runtime/clang-Oz@end"));
  value(episode.reset(toyProgram(100)));
  EXPECT_EQ(value(episode.step(kHalve)).reward, 0);
  EXPECT_EQ(value(episode.step(kCrash)).status, StepStatus::kCrashed) << "taken back";
  value(episode.undo(1));
  value(episode.step(kHalve));
  EXPECT_EQ(toy_.counters().measurements, 0u);
  const EpisodeStep step = value(episode.step(kStop));
  EXPECT_EQ(toy_.counters().measurements, 1u);
  EXPECT_EQ(step.metric, 0.5);
  EXPECT_EQ(step.reward, 0.5) << "of what the baseline takes";
}

TEST_F(EpisodeTest, WhatIsBrokenForAnExperimentCostsAsMuchAsTheBaseline) {
  Episode episode(toyEpisodes(toy_, "runtime/clang-Oz@end"));
  value(episode.reset(toyProgram(100)));
  value(episode.step(kBreak));
  const EpisodeStep step = value(episode.step(kStop));
  EXPECT_EQ(step.ending, Ending::kBroken);
  EXPECT_EQ(step.reward, -1);
  EXPECT_EQ(episode.totalReward(), 0);
}

TEST_F(EpisodeTest, AProgramThatIsBrokenAtTheEndHasEarnedNothing) {
  // The toy verifies in every measurement, so only a reward at the end leaves it broken till then.
  Episode episode(toyEpisodes(toy_, "count@end"));
  value(episode.reset(toyProgram(100)));
  value(episode.step(kHalve));
  value(episode.step(kBreak));
  const EpisodeStep step = value(episode.step(kStop));
  EXPECT_EQ(step.ending, Ending::kBroken);
  EXPECT_EQ(step.status, StepStatus::kVerifierFailed);
  EXPECT_EQ(step.reward, 0);
  EXPECT_EQ(episode.totalReward(), 0);
}

TEST_F(EpisodeTest, AStateThatCannotBeMeasuredIsUndone) {
  Episode episode(toyEpisodes(toy_));
  value(episode.reset(toyProgram(100)));
  const EpisodeStep step = value(episode.step(kPoison));
  EXPECT_EQ(step.status, StepStatus::kCrashed);
  EXPECT_EQ(value(episode.step(kDec)).reward, 1);
}

// A pass may overwrite memory, so that the worker dies when somebody looks at what it left.
TEST_F(EpisodeTest, AStateThatCannotBeObservedIsUndone) {
  IsolatedBackend workers(startToyZygote(), toyLimits(), nullptr);
  auto spec = toyEpisodes(workers, "count@end", {"fragile"});
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  value(episode.step(kDec));
  const EpisodeStep step = value(episode.step(kPoison));
  EXPECT_EQ(step.status, StepStatus::kCrashed);
  EXPECT_EQ(episode.actions(), std::vector<ActionIndex>{kDec});
  EXPECT_EQ(maskOf(episode)[kPoison], 0);
  EXPECT_EQ(episode.observation(0).int64s()[0], 99);
  EXPECT_EQ(value(episode.step(kStop)).reward, 1);
}

// A measurement may fail for reasons of its own: the actions before are not to blame.
TEST_F(EpisodeTest, AMeasurementThatFailsAfterAFailedActionBlamesNobodyElse) {
  for (const int failures : {1, 2}) {
    Episode episode(toyEpisodes(toy_));
    value(episode.reset(toyProgram(100)));
    value(episode.step(kDec));
    toy_.failMeasurements(failures);
    const EpisodeStep step = value(episode.step(kCrash));
    EXPECT_EQ(step.status, StepStatus::kCrashed);
    EXPECT_EQ(episode.actions(), std::vector<ActionIndex>{kDec});
    EXPECT_EQ(maskOf(episode)[kDec], 1);
    EXPECT_EQ(step.ending, failures == 1 ? Ending::kNone : Ending::kBroken) << "it cannot be made again";
    EXPECT_EQ(episode.totalReward(), failures == 1 ? 1 : 0);
    EXPECT_EQ(episode.observation(0).int64s().size(), 4u);
  }
}

TEST_F(EpisodeTest, AMeasurementThatFailsBeforeAnyActionWasAppliedIsTakenAnew) {
  Episode episode(toyEpisodes(toy_));
  value(episode.reset(toyProgram(100)));
  toy_.failMeasurements(1);
  EXPECT_EQ(value(episode.step(kCrash)).ending, Ending::kNone);
  EXPECT_EQ(value(episode.step(kDec)).reward, 1);
}

TEST_F(EpisodeTest, AMeasurementThatFailsAtTheStopIsTakenAnew) {
  for (const int failures : {1, 2}) {
    auto spec = toyEpisodes(toy_);
    spec->verify_each = true;
    Episode episode(spec);
    value(episode.reset(toyProgram(100)));
    value(episode.step(kDec));
    toy_.failMeasurements(failures);
    const EpisodeStep step = value(episode.step(kStop));
    EXPECT_EQ(step.ending, failures == 1 ? Ending::kStopped : Ending::kBroken);
    EXPECT_EQ(step.status, failures == 1 ? StepStatus::kOk : StepStatus::kCrashed);
    EXPECT_EQ(step.reward, failures == 1 ? 0 : -1);
    EXPECT_EQ(episode.actions(), std::vector<ActionIndex>{kDec});
  }
}

TEST_F(EpisodeTest, ItEndsWhenWhatWasTakenBackWasTheLastThatWasLeft) {
  auto spec = toyEpisodes(toy_);
  spec->verify_each = true;
  spec->stop_action = false;
  spec->safe.assign(spec->safe.size(), 0);
  spec->safe[kBreak] = 1;
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  EXPECT_EQ(value(episode.step(kBreak)).ending, Ending::kExhausted);
}

TEST_F(EpisodeTest, UnsafeActionsAreMaskedAndNeverRun) {
  auto spec = toyEpisodes(toy_);
  spec->safe[kDec] = 0;
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  EXPECT_EQ(maskOf(episode)[kDec], 0);
  const EpisodeStep step = value(episode.step(kDec));
  EXPECT_EQ(step.status, StepStatus::kRejected);
  EXPECT_EQ(value(episode.session().measure("count")).value, 100);
}

TEST_F(EpisodeTest, AnActionIsExhaustedAfterItsUses) {
  auto spec = toyEpisodes(toy_);
  spec->max_uses = 2;
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  value(episode.step(kDec));
  EXPECT_EQ(maskOf(episode)[kDec], 1);
  value(episode.step(kDec));
  EXPECT_EQ(maskOf(episode)[kDec], 0);
}

TEST_F(EpisodeTest, WithoutAStopActionItEndsWhenNothingIsLeft) {
  auto spec = toyEpisodes(toy_, "count@end");
  spec->stop_action = false;
  spec->safe.assign(spec->safe.size(), 0);
  spec->safe[kDec] = 1;
  spec->max_uses = 1;
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  const EpisodeStep step = value(episode.step(kDec));
  EXPECT_EQ(step.ending, Ending::kExhausted);
  EXPECT_EQ(step.reward, 1) << "measured although nobody knew that it was the last";
}

TEST_F(EpisodeTest, WhatTheSessionForbidsIsMasked) {
  fakes::ScheduleBackend schedules;
  fakes::expectMaskConformance(schedules, {"loop", "loop 1000", schedules.describe()->actions, ""});
  auto spec = toyEpisodes(toy_);
  spec->actions.push_back({"reject", notation::kPipeline, "reject"});
  spec->safe.push_back(1);
  Episode episode(spec);
  value(episode.reset(toyProgram(100)));
  EXPECT_EQ(maskOf(episode)[spec->actions.size() - 1], 0);
}

// A state whose legal actions are others is taken back with them, so that the end is noticed.
TEST_F(EpisodeTest, WhatIsLegalGoesBackWithTheState) {
  fakes::ScheduleBackend schedules;
  auto spec = std::make_shared<EpisodeSpec>();
  spec->backend = &schedules;
  spec->actions = {{"vector<8>", fakes::kScheduleKind, "vector 8"},
                   {"tile<8>", fakes::kScheduleKind, "tile 8"}};
  spec->safe = {1, 1};
  spec->reward.metric = "cycles";
  auto program = std::make_shared<EpisodeProgram>();
  program->uri = program->program = "loop 1000";
  Episode episode(spec);
  value(episode.reset(program));
  EXPECT_EQ(maskOf(episode)[0], 0);
  value(episode.step(1));
  EXPECT_EQ(maskOf(episode)[0], 1);
  value(episode.undo());
  EXPECT_EQ(maskOf(episode)[0], 0);
}

// Also one that this episode never saw: another did, perhaps on another day.
TEST_F(EpisodeTest, WhatTheLedgerKnowsIsMaskedInItsState) {
  auto ledger = std::make_shared<CrashLedger>();
  IsolatedBackend isolated(startToyZygote(), toyLimits(), ledger);
  auto spec = toyEpisodes(isolated);
  Episode first(spec);
  value(first.reset(toyProgram(100)));
  EXPECT_EQ(value(first.step(kCrash)).status, StepStatus::kCrashed);
  Episode second(spec);
  EXPECT_EQ(value(second.reset(toyProgram(100))).hash, Hash128()) << "which nobody asked for";
  EXPECT_EQ(maskOf(second)[kCrash], 0);
  value(second.step(kDec));
  EXPECT_EQ(maskOf(second)[kCrash], 1);
}

TEST_F(EpisodeTest, UndoneStepsAreAsIfTheyHadNotBeen) {
  Episode episode(toyEpisodes(toy_, "count", {"counters", "action_history", "action_histogram", "count"}));
  value(episode.reset(toyProgram(100)));
  value(episode.step(kDec));
  const std::string history(episode.observation(1).text());
  value(episode.step(kHalve));
  value(episode.step(kDec));
  EXPECT_EQ(value(episode.undo(2)).metric, 99);
  EXPECT_EQ(episode.totalReward(), 1);
  EXPECT_EQ(episode.observation(1).text(), history);
  EXPECT_EQ(episode.observation(0).int64s()[0], 99);
  EXPECT_FALSE(episode.undo(2)) << "there is one to take back";
}

TEST_F(EpisodeTest, AForkGoesItsOwnWay) {
  Episode episode(toyEpisodes(toy_));
  value(episode.reset(toyProgram(100)));
  value(episode.step(kDec));
  const std::unique_ptr<Episode> fork = value(episode.fork());
  EXPECT_EQ(fork->observation(0).int64s()[0], 99);
  value(fork->step(kDec));
  value(episode.step(kInc));
  EXPECT_EQ(fork->metric(), 98);
  EXPECT_EQ(episode.metric(), 100);
  EXPECT_EQ(fork->totalReward(), 2);
}

TEST_F(EpisodeTest, SensorsShowWhatTheyPromise) {
  Episode episode(toyEpisodes(
      toy_, "cost",
      {"action_history", "action_histogram", "count", "count/initial", "count/clang-Oz", "runtime"}));
  auto program = std::make_shared<EpisodeProgram>(*toyProgram(100));
  program->values["cost/initial"] = 1000;
  value(episode.reset(program));
  value(episode.step(kDec));
  value(episode.step(kDec));
  const auto number = [&](std::size_t i) {
    double result;
    std::memcpy(&result, episode.observation(i).bytes.data(), sizeof result);
    return result;
  };
  EXPECT_EQ(episode.observation(0).int64s()[1], kDec);
  EXPECT_EQ(episode.observation(0).int64s()[2], -1);
  EXPECT_EQ(episode.observation(1).int64s()[kDec], 2);
  EXPECT_EQ(number(2), 98);
  EXPECT_EQ(number(3), 100);
  EXPECT_EQ(number(4), 50);
  EXPECT_TRUE(std::isnan(number(5)));
}

TEST_F(EpisodeTest, ARewardThatIsNotDefinedForTheProgramSaysSo) {
  Episode episode(toyEpisodes(toy_, "count/gap:clang-Oz"));
  auto program = std::make_shared<EpisodeProgram>(*toyProgram(100));
  program->values["count/clang-Oz"] = 100;
  const auto step = episode.reset(program);
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(step.error().message.find("toy:100"), std::string::npos) << step.error().message;
}

}  // namespace
}  // namespace ordo::env
