#include "campaigns/collect_run.h"

#include <gtest/gtest.h>

#include <set>

#include "experience/encode.h"
#include "search/catalog/catalog.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::campaigns {
namespace {

CollectRunOptions toyOptions() {
  CollectRunOptions options;
  options.objective = {.metric = "count", .screen = ""};
  options.searcher = search::find("random");
  options.budget = {.evaluations = 200};
  options.max_length = 10;
  options.metrics = {"count", "cost"};
  options.observations = {{"counters", 1, DType::kInt64, 4}};
  return options;
}

experience::Run runOf(const CollectRunOptions& options, std::int64_t count = 40, fakes::ToyOptions toy = {}) {
  study::ToySite site(toy);
  auto run = collectRun(site, study::toySubject(count), options);
  EXPECT_TRUE(run) << run.error().message;
  return run ? *std::move(run) : experience::Run();
}

TEST(CollectRunTest, KeepsWhatWasTriedInOrderAlsoWhatFailed) {
  const experience::Run run = runOf(toyOptions());
  EXPECT_EQ(run.key.uri, "toy/a");
  EXPECT_EQ(run.key.searcher, "random");
  EXPECT_LE(run.compiles, 201u);
  ASSERT_GE(run.tried.size(), 100u);
  EXPECT_EQ(run.tried[0].actions, (experience::Sequence{0})) << "the baseline comes first";
  EXPECT_EQ(run.tried[1].actions, experience::Sequence());
  EXPECT_EQ(run.tried[1].value, 40);
  EXPECT_EQ(run.references.at("initial").at("count"), 40);
  std::set<experience::Sequence> distinct;
  int failed = 0;
  for (const experience::Attempt& trial : run.tried) {
    EXPECT_TRUE(distinct.insert(trial.actions).second);
    EXPECT_FALSE(trial.screen);
    const bool fatal = std::ranges::count(trial.actions, 7u) + std::ranges::count(trial.actions, 8u) > 0;
    EXPECT_EQ(trial.value.has_value(), !fatal) << "crash and break fail";
    failed += fatal;
  }
  EXPECT_GT(failed, 10);
}

TEST(CollectRunTest, TheBestAreDistinctProgramsWithTheirStates) {
  const experience::Run run = runOf(toyOptions());
  ASSERT_EQ(run.best.size(), 8u);
  for (std::size_t i = 0; i < run.best.size(); ++i) {
    const experience::Best& best = run.best[i];
    EXPECT_GE(best.values.at("count"), run.best[i == 0 ? 0 : i - 1].values.at("count"));
    EXPECT_TRUE(best.values.contains("cost"));
    ASSERT_EQ(best.states.size(), best.actions.size() + 1);
    const auto counters = [&](std::uint32_t state) {
      return std::get<std::vector<std::int64_t>>(run.states.at(state).at(0));
    };
    EXPECT_EQ(counters(best.states.front())[0], 40);
    EXPECT_EQ(counters(best.states.back())[0], best.values.at("count"));
  }
  std::set<experience::State> states(run.states.begin(), run.states.end());
  EXPECT_EQ(states.size(), run.states.size()) << "each is told once";
  double lowest = 40;
  for (const experience::Attempt& trial : run.tried) lowest = std::min(lowest, trial.value.value_or(40));
  EXPECT_EQ(run.best[0].values.at("count"), lowest);
}

TEST(CollectRunTest, OfTheBestOnlyWhatDidSomethingIsTold) {
  const experience::Run run = runOf(toyOptions());
  ASSERT_FALSE(run.best.empty());
  for (const experience::Best& best : run.best) {
    for (std::size_t step = 0; step < best.actions.size(); ++step)
      EXPECT_NE(best.states[step], best.states[step + 1]) << "step " << step << " is idle";
  }
  // The counters tell all toy programs apart, so shorter sequences than those tried are the proof.
  std::set<experience::Sequence> tried;
  for (const experience::Attempt& trial : run.tried) tried.insert(trial.actions);
  EXPECT_TRUE(std::ranges::any_of(run.best, [&](const auto& best) { return !tried.contains(best.actions); }));
}

TEST(CollectRunTest, WhatScreeningRulesOutIsTold) {
  CollectRunOptions options = toyOptions();
  options.objective = {.metric = "cost", .screen = "count"};
  const experience::Run run = runOf(options);
  EXPECT_GT(std::ranges::count_if(run.tried, [](const auto& trial) { return trial.screen.has_value(); }), 5);
}

TEST(CollectRunTest, TheSameArgumentsGiveTheSameRun) {
  const auto text = [](const CollectRunOptions& options) {
    experience::Run run = runOf(options);
    run.cpu_s = 0;
    return experience::encode(experience::Record(run));
  };
  CollectRunOptions options = toyOptions();
  EXPECT_EQ(text(options), text(options));
  options.seed = 2;
  EXPECT_NE(text(options), text(toyOptions()));
}

TEST(CollectRunTest, WhatForksPromisedIsNotBelieved) {
  const experience::Run run = runOf(toyOptions(), 40, {.fork_error = -5});
  ASSERT_FALSE(run.best.empty());
  for (const experience::Best& best : run.best) {
    const auto& last = std::get<std::vector<std::int64_t>>(run.states.at(best.states.back()).at(0));
    EXPECT_EQ(static_cast<double>(last[0]), best.values.at("count"));
  }
}

TEST(CollectRunTest, StatesMayBeLeftOut) {
  CollectRunOptions options = toyOptions();
  options.observations.clear();
  options.best = 2;
  const experience::Run run = runOf(options);
  EXPECT_TRUE(run.states.empty());
  ASSERT_EQ(run.best.size(), 2u);
  EXPECT_TRUE(run.best[0].states.empty());
}

TEST(CollectRunTest, SaysWhyThereIsNone) {
  study::ToySite site;
  CollectRunOptions options = toyOptions();
  options.observations = {{"counters", 1, DType::kInt64, 5}};
  EXPECT_EQ(collectRun(site, study::toySubject(40), options).error().code, ErrorCode::kInternal);
  options = toyOptions();
  options.objective.metric = "nothing";
  EXPECT_FALSE(collectRun(site, study::toySubject(40), options));
  const std::atomic<bool> stop = true;
  options = toyOptions();
  options.stop = &stop;
  EXPECT_EQ(collectRun(site, study::toySubject(40), options).error().code, ErrorCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace ordo::campaigns
