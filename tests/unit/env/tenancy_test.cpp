#include "env/tenancy.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "support/rng.h"
#include "tests/unit/env/toy_worker.h"

namespace ordo::env {
namespace {

enum : ActionIndex { kNoop, kDec, kInc, kDecIfEven, kHalve, kEnable, kReject, kCrash, kPoison };

SessionSpec spec(std::int64_t count = 100) {
  std::vector<std::string> actions = fakes::kToyActions;
  actions.insert(actions.end(), {"reject", "crash", "poison"});
  return fakes::toySpec(count, actions);
}

StepRequest everything(std::vector<ActionIndex> actions) {
  return {.actions = std::move(actions),
          .hash = true,
          .metrics = {"count", "cost"},
          .observations = {"counters", "text"},
          .spin = false};
}

std::string bytesOf(const Observation& observation) { return std::string(observation.text()); }

void expectSame(const StepReport& report, const StepReport& expected) {
  EXPECT_EQ(report.outcome.status, expected.outcome.status);
  EXPECT_EQ(report.outcome.applied, expected.outcome.applied);
  EXPECT_EQ(report.hash, expected.hash);
  ASSERT_EQ(report.measurements.size(), expected.measurements.size());
  for (std::size_t i = 0; i < report.measurements.size(); ++i) {
    EXPECT_EQ(report.measurements[i].status, expected.measurements[i].status);
    EXPECT_EQ(report.measurements[i].value, expected.measurements[i].value);
  }
  ASSERT_EQ(report.observations.size(), expected.observations.size());
  for (std::size_t i = 0; i < report.observations.size(); ++i) {
    EXPECT_EQ(bytesOf(report.observations[i]), bytesOf(expected.observations[i]));
  }
}

class StepTest : public testing::Test {
 protected:
  std::shared_ptr<sandbox::Zygote> zygote_ = startToyZygote();
  IsolatedBackend backend_{zygote_, toyLimits(), nullptr};
  fakes::ToyBackend toy_;
};

TEST_F(StepTest, ReportsWhatTheSameCallsOneByOneWould) {
  Rng rng(3);
  const auto here = value(toy_.open(spec()));
  const auto there = value(backend_.open(spec()));
  for (int i = 0; i < 200; ++i) {
    std::vector<ActionIndex> actions(rng.below(4));
    for (ActionIndex& action : actions) action = static_cast<ActionIndex>(rng.below(kReject + 1));
    StepRequest request = everything(actions);
    request.reset = rng.below(10) == 0;
    const StepReport expected = value(here->step(request));
    expectSame(value(there->step(request)), expected);
    EXPECT_EQ(there->history().size(), here->history().size());
  }
}

TEST_F(StepTest, ManyAreUnderWayAtOnceAndFinishInAnyOrder) {
  std::vector<std::unique_ptr<Session>> here, there;
  for (int i = 0; i < 6; ++i) {
    here.push_back(value(toy_.open(spec(100 + i))));
    there.push_back(value(backend_.open(spec(100 + i))));
  }
  for (int round = 0; round < 50; ++round) {
    for (auto& session : there) check(session->beginStep(everything({kDec, kHalve})));
    std::size_t left = there.size();
    std::vector<bool> done(left);
    while (left > 0) {
      const std::uint32_t seen = backend_.activity();
      bool any = false;
      for (std::size_t i = 0; i < there.size(); ++i) {
        if (done[i] || !there[i]->stepReady()) continue;
        expectSame(value(there[i]->finishStep()), value(here[i]->step(everything({kDec, kHalve}))));
        done[i] = any = true;
        --left;
      }
      if (!any) backend_.awaitActivity(seen, 5, false);
    }
  }
}

TEST_F(StepTest, IsFinishedByAnotherThreadThanBeganIt) {
  const auto session = value(backend_.open(spec()));
  check(session->beginStep(everything({kDec})));
  std::thread other([&] { EXPECT_EQ(value(session->finishStep()).measurements[0].value, 99); });
  other.join();
  EXPECT_EQ(value(session->measure("count")).value, 99);
}

TEST_F(StepTest, ACrashReportsTheStateBeforeTheCulprit) {
  const auto session = value(backend_.open(spec()));
  const StepReport report = value(session->step(everything({kDec, kCrash, kDec})));
  EXPECT_EQ(report.outcome.status, StepStatus::kCrashed);
  EXPECT_EQ(report.outcome.applied, 1u);
  EXPECT_EQ(report.measurements[0].value, 99);
  EXPECT_EQ(session->history().size(), 1u);
  // From now on it is known, in that state.
  EXPECT_EQ(value(session->step(everything({kCrash}))).outcome.status, StepStatus::kRejected);
  EXPECT_EQ(backend_.stats().workers_died, 1);
}

TEST_F(StepTest, ACrashWhileMeasuringCostsTheMeasurementOnly) {
  const auto session = value(backend_.open(spec()));
  const StepReport report = value(session->step(everything({kDec, kPoison})));
  EXPECT_TRUE(report.outcome.ok());
  EXPECT_EQ(report.outcome.applied, 2u);
  EXPECT_EQ(report.measurements[0].status, StepStatus::kCrashed);
  EXPECT_EQ(report.observations[0].int64s()[0], 99);
  EXPECT_EQ(session->history().size(), 2u);
}

TEST_F(StepTest, AWorkerKilledFromOutsideIsReplaced) {
  const auto session = value(backend_.open(spec()));
  value(session->step(everything({kDec})));
  for (const int pid : childrenOf(zygote_->pid())) {
    ::kill(pid, SIGKILL);
    EXPECT_TRUE(ends(pid));
  }
  EXPECT_EQ(value(session->step(everything({kDec}))).measurements[0].value, 98);
}

TEST_F(StepTest, UnderWayWhenTheZygoteEndsIsDoneElsewhere) {
  const auto session = value(backend_.open(spec()));
  value(session->step(everything({kDec})));
  const std::vector<int> workers = childrenOf(zygote_->pid());
  for (const int pid : workers) ::kill(pid, SIGSTOP);  // so that it cannot be faster than we are
  check(session->beginStep(everything({kDec})));
  ::kill(zygote_->pid(), SIGKILL);
  for (const int pid : workers) EXPECT_TRUE(ends(pid));
  while (!session->stepReady()) backend_.awaitActivity(backend_.activity(), 0.1, false);
  EXPECT_EQ(value(session->finishStep()).measurements[0].value, 98);
  EXPECT_TRUE(backend_.ledger().empty());
}

TEST_F(StepTest, UnderWayInAForkedProcessIsDoneThere) {
  auto session = value(backend_.open(spec()));
  check(session->beginStep(everything({kDec})));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(value(session->finishStep()).measurements[0].value == 99 ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(value(session->finishStep()).measurements[0].value, 99);
  EXPECT_EQ(backend_.stats().workers_died, 0);
}

TEST_F(StepTest, ThatNobodyFinishesLeavesTheWorkerUsable) {
  {
    const auto session = value(backend_.open(spec()));
    check(session->beginStep(everything({kDec})));
  }
  const auto session = value(backend_.open(spec()));
  EXPECT_EQ(value(session->step(everything({kDec}))).measurements[0].value, 99);
  EXPECT_EQ(backend_.stats().workers_started, 1);
}

TEST_F(StepTest, ForksInOneWorkerKeepTheirObservations) {
  const auto session = value(backend_.open(spec()));
  const auto fork = value(session->fork());
  const StepReport first = value(session->step(everything({kDec})));
  const std::string before = bytesOf(first.observations[1]);
  value(fork->step(everything({kInc, kInc})));
  EXPECT_EQ(bytesOf(first.observations[1]), before);
}

}  // namespace
}  // namespace ordo::env
