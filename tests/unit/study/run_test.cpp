#include "study/run.h"

#include <gtest/gtest.h>

#include "tests/unit/study/toy_host.h"

namespace ordo::study {
namespace {

Run runOrDie(Site& site, const Subject& subject, const RunOptions& options) {
  Result<study::Run> run = runMethod(site, subject, options);
  EXPECT_TRUE(run) << run.error().message;
  return run ? *std::move(run) : Run{};
}

TEST(RunTest, EveryBudgetIsReadOffOneRun) {
  ToySite site;
  const study::Run run = runOrDie(site, toySubject(1000), toyOptions("evolutionary", 500));
  EXPECT_EQ(run.statistics.evaluations, 500u);
  ASSERT_EQ(run.checkpoints.size(), 3u);
  EXPECT_EQ(run.checkpoints[0].compiles, 10u);
  EXPECT_EQ(run.checkpoints[0].evaluations, 10u);
  EXPECT_EQ(run.checkpoints[1].evaluations, 100u);
  EXPECT_EQ(run.checkpoints[2].evaluations, 500u);
  EXPECT_LE(run.checkpoints[0].passes, run.checkpoints[1].passes);
  // More budget is never worse, and every result is measured in every metric.
  EXPECT_GE(valueOf(run.checkpoints[0].own, "count"), valueOf(run.checkpoints[1].own, "count"));
  EXPECT_GT(valueOf(run.checkpoints[1].own, "count"), valueOf(run.checkpoints[2].own, "count"));
  EXPECT_TRUE(valueOf(run.checkpoints[2].own, "cost"));
}

TEST(RunTest, ImprovementsAreTheMethodsOwnAndReplay) {
  ToySite site;
  const Subject subject = toySubject(1000);
  const study::Run run = runOrDie(site, subject, toyOptions("random", 200));
  EXPECT_EQ(run.seed_value, 996);  // of the baseline
  ASSERT_FALSE(run.improvements.empty());
  EXPECT_GT(run.improvements.front().evaluation, 2u);  // the seeds are nobody's own
  for (std::size_t i = 1; i < run.improvements.size(); ++i) {
    EXPECT_LT(run.improvements[i].value, run.improvements[i - 1].value);
    EXPECT_GT(run.improvements[i].evaluation, run.improvements[i - 1].evaluation);
    EXPECT_GE(run.improvements[i].cpu_s, run.improvements[i - 1].cpu_s);
  }
  search::Sequence actions;
  for (const std::string& name : run.improvements.back().actions) {
    const auto found = std::ranges::find(subject.spec.actions, name, &env::Action::name);
    actions.push_back(static_cast<env::ActionIndex>(found - subject.spec.actions.begin()));
  }
  const auto session = site.backend().open(subject.spec);
  ASSERT_TRUE((*session)->apply(actions)->ok());
  EXPECT_EQ((*session)->measure("count")->value, run.improvements.back().value);
  EXPECT_EQ(valueOf(run.checkpoints.back().own, "count"), run.improvements.back().value);
}

TEST(RunTest, TheSameSeedGivesTheSameRun) {
  ToySite one, two;
  RunOptions options = toyOptions("evolutionary", 150);
  options.seed = 9;
  const study::Run a = runOrDie(one, toySubject(777), options), b = runOrDie(two, toySubject(777), options);
  EXPECT_EQ(a.statistics.passes, b.statistics.passes);
  ASSERT_EQ(a.improvements.size(), b.improvements.size());
  for (std::size_t i = 0; i < a.improvements.size(); ++i) {
    EXPECT_EQ(a.improvements[i].evaluation, b.improvements[i].evaluation);
    EXPECT_EQ(a.improvements[i].actions, b.improvements[i].actions);
  }
}

// What a fork did may not hold: only what a replay from the start gives is a result.
TEST(RunTest, ResultsAreReplayedWithoutCaches) {
  ToySite lying({.fork_error = -50});
  const study::Run run = runOrDie(lying, toySubject(1000), toyOptions("evolutionary", 300));
  ToySite honest;
  const auto session = honest.backend().open(toySubject(1000).spec);
  search::Sequence actions;
  for (const std::string& name : run.improvements.back().actions) {
    for (std::size_t i = 0; i < kToyActions.size(); ++i) {
      if (kToyActions[i].substr(0, kToyActions[i].find('=')) == name)
        actions.push_back(static_cast<env::ActionIndex>(i));
    }
  }
  ASSERT_TRUE((*session)->apply(actions)->ok());
  EXPECT_EQ(valueOf(run.checkpoints.back().own, "count"), (*session)->measure("count")->value);
}

TEST(RunTest, AProgramWithoutAMeasurableSeedFails) {
  ToySite site;
  Subject subject = toySubject(10);
  RunOptions options = toyOptions();
  subject.spec.actions[0].text = "crash";
  subject.spec.program = "toy 10 seed 7";
  EXPECT_TRUE(runOrDie(site, subject, options).failure.empty());  // the untouched program is one
  options.objective.metric = "nothing";
  const Result<study::Run> run = runMethod(site, subject, options);
  EXPECT_FALSE(run);
}

// Asks the evaluator itself, for more than there is to have; and says what came of it.
class GreedyAttempt final : public Attempt {
 public:
  Status run(search::SearchContext& context) override {
    search::Evaluator& evaluator = context.evaluator();
    evaluator.limit({});
    for (std::size_t length = 1; length <= 20; ++length)
      evaluator.evaluateOne(search::Sequence(length, 2));  // "dec"
    return {};
  }
  std::optional<Talk> talk() const override {
    Talk talk;
    talk.answered = true;
    talk.actions = {answer_};
    return talk;
  }
  std::string answer_ = "dec";
};

TEST(RunTest, WhoeverAsksIsHeardAsFarAsTheBudgetGoes) {
  ToySite site;
  const Method method{"greedy", [](const Task&) { return std::make_unique<GreedyAttempt>(); }};
  const study::Run run = runOrDie(site, toySubject(1000), toyOptions(method, 10));
  EXPECT_EQ(run.statistics.evaluations, 22u);
  ASSERT_EQ(run.improvements.size(), 8u) << "two were the seeds";
  EXPECT_EQ(run.improvements.back().evaluation, 10u);
  EXPECT_EQ(valueOf(run.checkpoints.back().own, "count"), 992);
}

TEST(RunTest, TheAnswerOfADialogueIsReplayed) {
  ToySite site;
  const study::Run good =
      runOrDie(site, toySubject(1000),
               toyOptions(Method{"greedy", [](const Task&) { return std::make_unique<GreedyAttempt>(); }}));
  EXPECT_TRUE(good.talk->answered);
  EXPECT_EQ(good.talk->value, 999);
  const study::Run bad =
      runOrDie(site, toySubject(1000), toyOptions(Method{"greedy", [](const Task&) {
                                                           auto attempt = std::make_unique<GreedyAttempt>();
                                                           attempt->answer_ = "crash";
                                                           return attempt;
                                                         }}));
  EXPECT_FALSE(bad.talk->answered);
  EXPECT_EQ(bad.talk->value, std::nullopt);
  EXPECT_EQ(bad.talk->why, "its answer failed when it was replayed");
}

TEST(RunTest, WhatIsStoppedLeavesNoRecord) {
  ToySite site;
  const std::atomic<bool> stop = true;
  RunOptions options = toyOptions();
  options.stop = &stop;
  const Result<study::Run> run = runMethod(site, toySubject(10), options);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kDeadlineExceeded);
}

TEST(RunTest, ProcessorTimeIsTheMethodsOursOrTheWorkers) {
  ToySite site;
  const study::Run run = runOrDie(site, toySubject(1000), toyOptions("random", 300));
  EXPECT_GT(run.method_cpu_s, 0);
  EXPECT_GT(run.harness_cpu_s, 0);
  EXPECT_EQ(run.worker_cpu_s, 0);
  EXPECT_EQ(run.peak_bytes, 4096u);
}

}  // namespace
}  // namespace ordo::study
