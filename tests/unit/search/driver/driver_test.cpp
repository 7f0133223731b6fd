#include "search/driver/driver.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

using fakes::toySpec;

std::unique_ptr<Evaluator> openEvaluator(fakes::ToyBackend& backend, const env::SessionSpec& spec,
                                         EvaluatorOptions options = {},
                                         Objective objective = {.metric = "count", .screen = ""}) {
  auto opened = Evaluator::open(backend, spec, std::move(objective), std::move(options));
  return *std::move(opened);
}

SearchResult searchOrDie(Evaluator& evaluator, const SearchOptions& options) {
  auto result = search(evaluator, options);
  if (!result) ADD_FAILURE() << result.error().message;
  return *std::move(result);
}

// The baseline is action 0; the rest can do better.
const std::vector<std::string> kActions = {"baseline=dec,dec,dec-if-even,halve-if-multiple-of-4",
                                           "noop",
                                           "dec",
                                           "dec-if-even",
                                           "halve-if-multiple-of-4",
                                           "enable",
                                           "inc"};

TEST(DriverTest, FindsMinimisesAndExplains) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(1003, kActions));
  SearchOptions options;
  options.budget.evaluations = 3000;
  options.seeds = {{}, {0}};
  const SearchResult result = searchOrDie(*evaluator, options);
  ASSERT_EQ(result.seeds.size(), 2u);
  EXPECT_EQ(result.seeds[0].value, 1003);
  EXPECT_LT(result.best.value, result.seeds[1].value);
  EXPECT_LE(result.best.value, result.found.value);
  EXPECT_LE(result.best.actions.size(), result.found.actions.size());
  ASSERT_EQ(result.contributions.size(), result.best.actions.size());
  for (const Contribution& contribution : result.contributions) EXPECT_GT(contribution.delta, 0);
  EXPECT_LE(result.statistics.evaluations, 3000u);
}

TEST(DriverTest, TheResultReplays) {
  fakes::ToyBackend backend;
  const env::SessionSpec spec = toySpec(517, kActions);
  auto evaluator = openEvaluator(backend, spec, {.jobs = 2});
  SearchOptions options;
  options.budget.evaluations = 1000;
  const SearchResult result = searchOrDie(*evaluator, options);
  auto session = backend.open(spec);
  ASSERT_TRUE((*session)->apply(result.best.actions)->ok());
  EXPECT_EQ((*session)->measure("count")->value, result.best.value);
  EXPECT_EQ(*(*session)->stateHash(), result.best.state);
}

TEST(DriverTest, TheWinnersProgramIsThereForWhoeverGoesOn) {
  fakes::ToyBackend backend;
  const env::SessionSpec spec = toySpec(517, kActions);
  auto evaluator = openEvaluator(backend, spec);
  SearchOptions options;
  options.budget.evaluations = 200;
  EXPECT_EQ(searchOrDie(*evaluator, options).program, "") << "nobody asked";
  evaluator = openEvaluator(backend, spec);
  options.program = "text";
  options.share = 0.5;
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_LE(result.statistics.evaluations, 100u) << "the rest of the budget is for others";
  env::SessionSpec behind = spec;
  behind.program = result.program;
  EXPECT_EQ((*backend.open(behind))->measure("count")->value, result.best.value);
}

TEST(DriverTest, TheFirstAnswerMayUseWhatIsKeptForOthers) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(517, kActions));
  SearchOptions options;
  options.budget.evaluations = 2;
  options.share = 0.1;
  options.first = {2};
  EXPECT_EQ(searchOrDie(*evaluator, options).best.value, 516);
}

TEST(DriverTest, OthersAreTheNextBestPrograms) {
  fakes::ToyBackend backend;
  const env::SessionSpec spec = toySpec(1003, kActions);
  auto evaluator = openEvaluator(backend, spec);
  SearchOptions options;
  options.budget.evaluations = 2000;
  options.seeds = {{}, {0}};
  const SearchResult result = searchOrDie(*evaluator, options);
  ASSERT_GE(result.others.size(), 2u);
  std::set<Hash128> states{result.best.state};
  double last = result.best.value;
  for (const Evaluation& other : result.others) {
    EXPECT_TRUE(states.insert(other.state).second) << "each is another program";
    EXPECT_GE(other.value, last);
    EXPECT_LT(other.value, result.seeds[1].value);
    last = other.value;
    auto session = backend.open(spec);
    ASSERT_TRUE((*session)->apply(other.actions)->ok());
    EXPECT_EQ((*session)->measure("count")->value, other.value);
  }
}

TEST(DriverTest, NothingBeyondALimitIsFound) {
  fakes::ToyBackend backend;
  // A choice that saves nothing of what is minimised costs of what is limited nothing; passes cost both.
  const env::SessionSpec spec = toySpec(64, {"inc", "dec", "-x=10", "-y=5"});
  auto evaluator =
      openEvaluator(backend, spec, {}, {.metric = "count", .screen = "", .limits = {{"cost", 500}}});
  SearchOptions options;
  options.budget.evaluations = 1000;
  options.seeds = {{1, 1, 2}};  // count 52, cost 520 and more
  EXPECT_EQ(search(*evaluator, options).error().code, ErrorCode::kUnsupported) << "no seed is within";
  options.seeds.push_back({2, 3});  // count 49, cost 490 to 510
  options.seeds.push_back({1, 1, 2, 3});
  const SearchResult result = searchOrDie(*evaluator, options);
  for (const Evaluation* found : {&result.found, &result.best}) {
    auto session = backend.open(spec);
    ASSERT_TRUE((*session)->apply(found->actions)->ok());
    EXPECT_LE((*session)->measure("cost")->value, 500);
    EXPECT_EQ(found->amounts, std::vector<double>{(*session)->measure("cost")->value});
  }
}

TEST(DriverTest, PromisesOfForksThatDivergeAreNotKept) {
  fakes::ToyBackend backend({.fork_error = -7});
  const env::SessionSpec spec = toySpec(300, {"noop", "inc", "dec"});
  auto evaluator = openEvaluator(backend, spec);
  SearchOptions options;
  options.budget.evaluations = 500;
  options.max_length = 8;
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_GT(result.statistics.divergences, 0u);
  auto session = fakes::ToyBackend().open(spec);
  ASSERT_TRUE((*session)->apply(result.best.actions)->ok());
  EXPECT_EQ((*session)->measure("count")->value, result.best.value) << "what is reported is true";
  EXPECT_LE(result.best.value, 300);
}

TEST(DriverTest, ConfirmingCanBeLeftToOthers) {
  fakes::ToyBackend backend({.fork_error = -7});
  auto evaluator = openEvaluator(backend, toySpec(300, {"noop", "inc", "dec"}));
  SearchOptions options;
  options.budget.evaluations = 500;
  options.max_length = 8;
  options.confirm = options.minimize = options.explain = false;
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_EQ(result.statistics.divergences, 0u) << "nothing was replayed";
  EXPECT_LT(result.best.value, 292) << "what a fork promised, and no eight actions reach";
}

TEST(DriverTest, ASpaceThatOnlyHurtsGivesTheBestSeed) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(100, {"inc", "crash", "break", "base=dec,dec,inc"}));
  SearchOptions options;
  options.budget.evaluations = 200;
  options.max_length = 1;
  options.seeds = {{}, {3}, {1}};
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_EQ(result.best.actions, (Sequence{3}));
  EXPECT_EQ(result.best.value, 99);
  EXPECT_EQ(result.seeds[2].status, env::StepStatus::kCrashed);
}

TEST(DriverTest, AnEmptySpaceGivesTheProgramItself) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(100, {}));
  const SearchResult result = searchOrDie(*evaluator, {});
  EXPECT_TRUE(result.best.actions.empty());
  EXPECT_EQ(result.best.value, 100);
}

TEST(DriverTest, NoBudgetStillMeasuresTheSeeds) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(100, kActions));
  SearchOptions options;
  options.budget.evaluations = 0;
  options.seeds = {{}, {0}};
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_EQ(result.best.actions, (Sequence{0}));
  EXPECT_EQ(result.statistics.evaluations, 2u);
}

TEST(DriverTest, ASeedThatWasMeasuredIsNotRunAgain) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(1003, kActions));
  SearchOptions options;
  options.measured = evaluator->evaluateOne({0}, Effort::kFresh);
  const std::uint64_t passes = backend.counters().passes;
  options.budget.evaluations = 0;
  options.seeds = {{1}, {0}, {}};
  const SearchResult result = searchOrDie(*evaluator, options);
  ASSERT_EQ(result.seeds.size(), 3u);
  EXPECT_EQ(result.seeds[1].actions, Sequence{0});
  EXPECT_EQ(result.seeds[1].value, options.measured->value);
  EXPECT_EQ(result.seeds[2].value, 1003);
  EXPECT_EQ(backend.counters().passes, passes + 1) << "of the first";
}

TEST(DriverTest, StagesAreSaidInOrder) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(100, kActions));
  SearchOptions options;
  options.budget.evaluations = 50;
  std::vector<std::string> said;
  options.on_phase = [&](std::string_view phase) { said.emplace_back(phase); };
  searchOrDie(*evaluator, options);
  EXPECT_EQ(said, (std::vector<std::string>{"measuring the baseline", "searching", "confirming the winner",
                                            "minimising the winner", "asking what each pass is good for"}));
}

TEST(DriverTest, ARaisedStopFlagStillGivesTheBestSoFar) {
  std::atomic<bool> stop = false;
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(1000, kActions), {.stop = &stop});
  SearchOptions options;
  options.seeds = {{}, {0}};
  double best = 0;
  options.on_improvement = [&](const Evaluation& improvement) {
    best = improvement.value;
    stop = improvement.value < 400;
  };
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_EQ(result.best.value, best);
  EXPECT_LT(result.best.value, 400);
  EXPECT_TRUE(result.contributions.empty());
}

TEST(DriverTest, ErrorsSayWhatIsWrong) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(100, {"dec", "break"}));
  SearchOptions bad_seed;
  bad_seed.seeds = {{2}};
  EXPECT_EQ(search(*evaluator, bad_seed).error().code, ErrorCode::kInvalidArgument);
  SearchOptions broken;
  broken.seeds = {{1}};
  EXPECT_EQ(search(*evaluator, broken).error().code, ErrorCode::kUnsupported);
  auto no_metric = openEvaluator(backend, toySpec(100, {"dec"}), {}, {.metric = "cycles", .screen = ""});
  EXPECT_EQ(search(*no_metric, {}).error().code, ErrorCode::kNotFound);
}

TEST(DriverTest, ProposalsComeBeforeTheSearchAndCount) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(1004, kActions));
  SearchOptions options;
  options.budget.evaluations = 10;
  options.seeds = {{}};
  options.max_length = 3;
  options.proposals = {{4, 2, 2, 2}, {4, 2}, {2}};  // the first is too long
  options.confirm = options.minimize = options.explain = false;
  std::vector<Sequence> answered;
  evaluator->listen([&](const Evaluation& answer) { answered.push_back(answer.actions); });
  const SearchResult result = searchOrDie(*evaluator, options);
  ASSERT_GE(answered.size(), 3u);
  EXPECT_EQ(std::vector(answered.begin(), answered.begin() + 3), (std::vector<Sequence>{{}, {4, 2}, {2}}));
  EXPECT_LE(result.best.value, 501);
  EXPECT_LE(result.statistics.evaluations, 10u);

  options.proposals = {{99}};
  const auto refused = search(*evaluator, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a proposal uses action 99, but there are only 7");
}

// Every look at it takes a hundredth of a second.
class TickingClock final : public Clock {
 public:
  double seconds() const override { return now_ += 0.01; }

 private:
  mutable double now_ = 0;
};

TEST(DriverTest, MoreTimeNeverEndsAboveTheFirstAnswer) {
  const env::SessionSpec spec = toySpec(1004, kActions);
  for (const double seconds : {0.05, 0.2, 2.0, 10.0}) {
    for (const double most : {1e9, 9000.0, 5100.0}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        fakes::ToyBackend backend;
        auto evaluator = openEvaluator(backend, spec, {.clock = std::make_shared<TickingClock>()},
                                       {.metric = "count", .screen = "", .limits = {{"cost", most}}});
        SearchOptions options;
        options.seeds = {{4}, {}};
        options.seed = seed;
        // The program as it is has a cost beyond 9,000, and what is halved once beyond none.
        const Evaluation answer = evaluator->evaluateOne({4, 2, 2, 4}, Effort::kFresh);
        options.budget.seconds = evaluator->statistics().seconds + 1 + seconds;
        options.searcher = find("random");
        options.max_length = 4;
        options.first = {4, 2, 2, 4};
        const SearchResult result = searchOrDie(*evaluator, options);
        ASSERT_TRUE(answer.measured());
        EXPECT_LE(result.best.value, answer.value) << seconds << " s, at most " << most;
      }
    }
  }
}

TEST(DriverTest, WhatIsKnownAtOnceIsAskedBeforeTheSearch) {
  fakes::ToyBackend backend;
  auto evaluator = openEvaluator(backend, toySpec(1004, kActions));
  SearchOptions options;
  options.budget.evaluations = 5;
  options.seeds = {{0}, {}};
  options.first = {4, 2};
  options.at_once = find("coreset");
  options.knowledge.coresets["count"] = {{4, 2, 2, 4}};
  options.searcher = find("random");
  options.confirm = options.minimize = options.explain = false;
  std::vector<std::string> said;
  options.on_phase = [&](std::string_view phase) {
    said.push_back(fmt::format("{} after {}", phase, evaluator->statistics().evaluations));
  };
  const SearchResult result = searchOrDie(*evaluator, options);
  EXPECT_EQ(said[1], "asking for the first answer after 2");
  EXPECT_EQ(said[2], fmt::format("{} after 4", kSearching));
  EXPECT_LE(result.best.value, 250);

  // A budget that is over has no time for it, but for the seeds.
  options.budget.evaluations = 0;
  auto late = openEvaluator(backend, toySpec(1004, kActions));
  EXPECT_EQ(searchOrDie(*late, options).statistics.evaluations, 2u);
}

}  // namespace
}  // namespace ordo::search
