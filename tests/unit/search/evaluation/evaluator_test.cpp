#include "search/evaluation/evaluator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/rng.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

using env::StepStatus;
using fakes::toySpec;

class TickingClock final : public Clock {
 public:
  double seconds() const override { return now; }
  std::atomic<double> now = 1000;
};

struct Fixture {
  explicit Fixture(env::SessionSpec spec_, Objective objective = {.metric = "count", .screen = ""},
                   EvaluatorOptions options = {}, fakes::ToyOptions toy = {})
      : backend(toy), spec(std::move(spec_)) {
    auto opened = Evaluator::open(backend, spec, std::move(objective), std::move(options));
    if (opened) evaluator = *std::move(opened);
  }

  fakes::ToyBackend backend;
  env::SessionSpec spec;
  std::unique_ptr<Evaluator> evaluator;
};

// Actions of most tests, by index.
const std::vector<std::string> kActions = {"dec",   "inc",    "noop",   "crash",
                                           "break", "poison", "reject", "export"};
enum : env::ActionIndex { kDec, kInc, kNoop, kCrash, kBreak, kPoison, kReject, kExport };

TEST(EvaluatorTest, MeasuresWhatASequenceMakesOfTheProgram) {
  Fixture f(toySpec(100, kActions));
  const auto results = f.evaluator->evaluate({{}, {kDec}, {kDec, kDec, kInc}});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].value, 100);
  EXPECT_EQ(results[1].value, 99);
  EXPECT_EQ(results[2].actions, (Sequence{kDec, kDec, kInc}));
  EXPECT_TRUE(results[1].measured());
  EXPECT_FALSE(results[1].cached);
  EXPECT_EQ(results[1].number, 2u);
}

// `ir_instructions` does not see what the code generator chooses, `count` does.
TEST(EvaluatorTest, MeasuresSeveralMetricsAsOne) {
  Fixture f(toySpec(100, {"dec", "-x=30"}), {.metric = "count=1+ir_instructions=3", .screen = ""});
  const auto results = f.evaluator->evaluate({{}, {0}, {1}});
  EXPECT_NEAR(results[0].value, 100, 1e-9);
  EXPECT_NEAR(results[1].value, 99, 1e-9);
  EXPECT_NEAR(results[2].value, std::pow(70, 0.25) * std::pow(100, 0.75), 1e-9);
  fakes::ToyBackend backend;
  const auto broken = Evaluator::open(backend, toySpec(100, kActions), {.metric = "count=", .screen = ""});
  EXPECT_EQ(broken.error().code, ErrorCode::kInvalidArgument);
}

TEST(EvaluatorTest, AKnownSequenceIsNotRunAgain) {
  Fixture f(toySpec(100, kActions));
  f.evaluator->evaluateOne({kDec, kDec});
  const Evaluation again = f.evaluator->evaluateOne({kDec, kDec});
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.value, 98);
  EXPECT_EQ(f.backend.counters().passes, 2u);
  EXPECT_EQ(f.evaluator->statistics().sequence_hits, 1u);
}

TEST(EvaluatorTest, AListenerHearsEveryAnswerInOrder) {
  std::vector<std::uint64_t> heard;
  Fixture f(toySpec(100, kActions));
  f.evaluator->listen([&](const Evaluation& answer) { heard.push_back(answer.number); });
  f.evaluator->evaluate({{}, {kDec}}, Effort::kFresh);
  f.evaluator->limit({.evaluations = 5});
  f.evaluator->evaluate({{kDec}, {kCrash}, {kInc}, {kDec, kDec}});
  EXPECT_EQ(heard, (std::vector<std::uint64_t>{1, 2, 3, 4, 5})) << "all but what was skipped";
}

// `count` falls by what the code generator chooses, `ir_instructions` does not see it.
TEST(EvaluatorTest, WhatIsBeyondALimitIsNoResultButALinkToOne) {
  Fixture f(toySpec(100, {"dec", "inc", "-x=30"}),
            {.metric = "count", .screen = "", .limits = {{"ir_instructions", 99}}});
  const auto results = f.evaluator->evaluate({{}, {0}, {2}, {1, 0, 0}, {0, 2}});
  EXPECT_EQ(results[0].verdict, Verdict::kBeyond);
  EXPECT_EQ(results[0].detail, "ir_instructions is 100, beyond 99");
  EXPECT_EQ(results[2].verdict, Verdict::kBeyond) << "however low its objective is";
  EXPECT_EQ(results[1].value, 99);
  EXPECT_EQ(results[1].amounts, std::vector<double>{99});
  EXPECT_TRUE(results[3].measured()) << "from beyond one can come back";
  EXPECT_EQ(results[4].value, 69);
  EXPECT_TRUE(better(results[1], results[0]));
  EXPECT_EQ(f.evaluator->statistics().beyond, 2u);
  EXPECT_EQ(f.evaluator->statistics().best, 69);

  const Evaluation known = f.evaluator->evaluateOne({0, 2});
  EXPECT_TRUE(known.cached);
  EXPECT_EQ(known.amounts, std::vector<double>{99});
  EXPECT_EQ(f.evaluator->evaluateOne({2}).verdict, Verdict::kBeyond);
  EXPECT_EQ(f.evaluator->evaluateOne({2}, Effort::kFresh).verdict, Verdict::kBeyond);
}

TEST(EvaluatorTest, WhatALimitComesToMayBecomeKnownOnTheWay) {
  Fixture f(toySpec(100, {"dec", "inc", "-x=30"}),
            {.metric = "count",
             .screen = "",
             .limits = {{"ir_instructions", std::numeric_limits<double>::infinity()}}});
  EXPECT_EQ(f.evaluator->evaluateOne({}).amounts, std::vector<double>{100});
  f.evaluator->within({{"ir_instructions", 100}});
  EXPECT_TRUE(f.evaluator->evaluateOne({2}).measured());
  EXPECT_EQ(f.evaluator->evaluateOne({1}).verdict, Verdict::kBeyond);
}

TEST(EvaluatorTest, AKnownProgramIsNotMeasuredAgain) {
  Fixture f(toySpec(100, kActions));
  f.evaluator->evaluateOne({kDec});
  const Evaluation same = f.evaluator->evaluateOne({kNoop, kDec});
  EXPECT_TRUE(same.cached);
  EXPECT_EQ(same.value, 99);
  EXPECT_EQ(f.backend.counters().measurements, 1u);
  EXPECT_EQ(f.evaluator->statistics().duplicate_hits, 1u);
}

TEST(EvaluatorTest, NothingThatBeginsWithAFatalPrefixIsTried) {
  Fixture f(toySpec(100, kActions));
  EXPECT_EQ(f.evaluator->evaluateOne({kDec, kCrash, kDec}).status, StepStatus::kCrashed);
  const auto passes = f.backend.counters().passes.load();
  const Evaluation longer = f.evaluator->evaluateOne({kDec, kCrash, kNoop, kNoop});
  EXPECT_EQ(longer.status, StepStatus::kCrashed);
  EXPECT_EQ(longer.verdict, Verdict::kFailed);
  EXPECT_TRUE(longer.cached);
  EXPECT_EQ(f.backend.counters().passes, passes);
  EXPECT_EQ(f.evaluator->evaluateOne({kDec, kDec}).value, 98) << "what comes before the culprit is fine";
}

TEST(EvaluatorTest, AnInvalidProgramStaysInvalidButAnUnmeasurableOneMayRecover) {
  Fixture f(toySpec(100, kActions));
  EXPECT_EQ(f.evaluator->evaluateOne({kBreak}).status, StepStatus::kVerifierFailed);
  EXPECT_EQ(f.evaluator->evaluateOne({kExport}).status, StepStatus::kExportsChanged);
  EXPECT_EQ(f.evaluator->evaluateOne({kReject}).status, StepStatus::kRejected);
  EXPECT_TRUE(f.evaluator->evaluateOne({kBreak, kDec}).cached);
  EXPECT_EQ(f.evaluator->evaluateOne({kPoison}).status, StepStatus::kCrashed);
  EXPECT_FALSE(f.evaluator->evaluateOne({kPoison, kDec}).cached);
  const Statistics statistics = f.evaluator->statistics();
  EXPECT_EQ(statistics.failures[static_cast<std::size_t>(StepStatus::kCrashed)], 2u);
  EXPECT_EQ(statistics.failures[static_cast<std::size_t>(StepStatus::kVerifierFailed)], 1u);
}

TEST(EvaluatorTest, ScreeningSavesTheExpensiveMetric) {
  Fixture f(toySpec(100, {"dec", "big=inc,inc,inc,inc,inc,inc,inc,inc,inc,inc"}),
            {.metric = "cost", .screen = "count", .screen_margin = 0.05});
  EXPECT_TRUE(f.evaluator->evaluateOne({}).measured());
  const Evaluation worse = f.evaluator->evaluateOne({1});
  EXPECT_EQ(worse.verdict, Verdict::kScreened);
  EXPECT_EQ(worse.screen, 110);
  EXPECT_FALSE(std::isfinite(worse.value));
  EXPECT_TRUE(f.evaluator->evaluateOne({0}).measured());
  EXPECT_EQ(f.evaluator->statistics().screened, 1u);
  const Evaluation in_full = f.evaluator->evaluateOne({1}, Effort::kFull);
  EXPECT_TRUE(in_full.measured());
  EXPECT_GE(in_full.value, 1100);
}

TEST(EvaluatorTest, AFreshAnswerUsesNoCacheAndCountsDivergence) {
  Fixture f(toySpec(100, kActions), {.metric = "count", .screen = ""}, {}, {.fork_error = -5});
  f.evaluator->evaluateOne({kDec, kDec, kDec, kDec});
  f.evaluator->evaluateOne({kDec, kDec, kDec, kInc});
  const Evaluation claimed = f.evaluator->evaluateOne({kDec, kDec, kDec, kNoop});
  EXPECT_LT(claimed.value, 97) << "it came from a fork, and forks of this toy are wrong";
  const Evaluation fresh = f.evaluator->evaluateOne({kDec, kDec, kDec, kNoop}, Effort::kFresh);
  EXPECT_EQ(fresh.value, 97);
  EXPECT_FALSE(fresh.cached);
  EXPECT_EQ(f.evaluator->statistics().divergences, 1u);
  EXPECT_EQ(f.evaluator->evaluateOne({kDec, kDec, kDec, kNoop}).value, 97)
      << "the fresh answer is the one to keep";
}

TEST(EvaluatorTest, StopsExactlyAtALimitOfEvaluations) {
  Fixture f(toySpec(100, kActions));
  f.evaluator->limit({.evaluations = 3});
  const auto results = f.evaluator->evaluate({{}, {0}, {1}, {2}, {0, 0}});
  EXPECT_TRUE(results[2].measured());
  EXPECT_EQ(results[3].verdict, Verdict::kSkipped);
  EXPECT_TRUE(f.evaluator->done());
  EXPECT_TRUE(f.evaluator->evaluateOne({0, 1}, Effort::kFresh).measured())
      << "what honesty needs is always done";
}

TEST(EvaluatorTest, StopsAtALimitOfPassesOrSeconds) {
  auto clock = std::make_shared<TickingClock>();
  Fixture f(toySpec(100, kActions), {.metric = "count", .screen = ""}, {.clock = clock});
  f.evaluator->limit({.passes = 2});
  f.evaluator->evaluate({{0, 1}});
  EXPECT_TRUE(f.evaluator->done());
  f.evaluator->limit({.seconds = 10});
  EXPECT_FALSE(f.evaluator->done());
  clock->now = 1010;
  EXPECT_TRUE(f.evaluator->done());
  EXPECT_EQ(f.evaluator->statistics().seconds, 10);
}

// Each action takes a second.
struct SlowFixture : Fixture {
  explicit SlowFixture(std::shared_ptr<TickingClock> clock, std::size_t large_program = 1 << 20)
      : Fixture(toySpec(100, kActions), {.metric = "count", .screen = ""},
                {.large_program = large_program, .clock = clock},
                {.on_action = [clock] { clock->now = clock->now + 1; }}) {}
};

TEST(EvaluatorTest, NothingIsBegunThatWouldNotBeThereInTime) {
  const auto clock = std::make_shared<TickingClock>();
  SlowFixture f(clock);
  EXPECT_EQ(f.evaluator->answerSeconds(), 0);
  f.evaluator->evaluateOne({kDec, kDec, kDec, kDec});
  EXPECT_EQ(f.evaluator->answerSeconds(), 4);
  f.evaluator->limit({.seconds = 9});
  EXPECT_TRUE(f.evaluator->evaluateOne({kInc, kInc, kInc, kInc}).measured()) << "there at 8";
  EXPECT_TRUE(f.evaluator->done()) << "the next would be there at 12";
  EXPECT_EQ(f.evaluator->evaluateOne({kInc}).verdict, Verdict::kSkipped);
  EXPECT_EQ(f.evaluator->statistics().seconds, 8);
  EXPECT_TRUE(f.evaluator->evaluateOne({kInc, kDec}, Effort::kFresh).measured());
}

TEST(EvaluatorTest, OfALargeProgramASequenceIsLeftHalfwayWhenTimeIsUp) {
  const auto clock = std::make_shared<TickingClock>();
  SlowFixture f(clock, 1);
  std::vector<Sequence> heard;
  f.evaluator->listen([&](const Evaluation& answer) { heard.push_back(answer.actions); });
  f.evaluator->limit({.seconds = 5});
  EXPECT_EQ(f.evaluator->evaluateOne(Sequence(60, kDec)).verdict, Verdict::kSkipped);
  EXPECT_EQ(f.evaluator->statistics().seconds, 5);
  EXPECT_EQ(f.evaluator->statistics().passes, 5u);
  EXPECT_TRUE(heard.empty()) << "nobody knows what it is worth";
  // And the lane can go on.
  f.evaluator->limit({});
  EXPECT_EQ(f.evaluator->evaluateOne({kDec, kDec}).value, 98);
}

TEST(EvaluatorTest, ProgressIsTheShareOfWhateverIsUsedMost) {
  const Fixture toy(toySpec(100, {"dec", "inc"}));
  toy.evaluator->evaluate({{0, 0, 0}, {1}});
  EXPECT_EQ(toy.evaluator->progress(), 0) << "there is no limit";
  toy.evaluator->limit({.evaluations = 8, .passes = 8});
  EXPECT_EQ(toy.evaluator->progress(), 0.5) << "four passes";
  toy.evaluator->limit({.evaluations = 1});
  EXPECT_EQ(toy.evaluator->progress(), 1);
}

TEST(EvaluatorTest, TheStopFlagEndsABatch) {
  std::atomic<bool> stop = true;
  Fixture f(toySpec(100, kActions), {.metric = "count", .screen = ""}, {.stop = &stop});
  EXPECT_EQ(f.evaluator->evaluateOne({0}).verdict, Verdict::kSkipped);
  stop = false;
  EXPECT_TRUE(f.evaluator->evaluateOne({0}).measured());
}

TEST(EvaluatorTest, AnErrorOfASessionEndsTheSearchAndIsReported) {
  Fixture f(toySpec(100, kActions), {.metric = "no-such-metric", .screen = ""});
  EXPECT_EQ(f.evaluator->evaluateOne({0}).verdict, Verdict::kSkipped);
  EXPECT_TRUE(f.evaluator->done());
  ASSERT_FALSE(f.evaluator->status());
  EXPECT_EQ(f.evaluator->status().error().code, ErrorCode::kNotFound);
}

TEST(EvaluatorTest, OpeningABadProgramFails) {
  Fixture f({"bad", "not a toy", {}, {}});
  EXPECT_EQ(f.evaluator, nullptr);
}

// Caches and lanes must not be visible in the answers, whatever the sequences.
TEST(EvaluatorTest, LanesAndCachesDoNotChangeAnswers) {
  std::vector<std::string> names = fakes::kToyActions;
  names.insert(names.end(), fakes::kToyFailures.begin(), fakes::kToyFailures.end());
  names.push_back("composite=enable,dec,dec,dec-if-even");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Rng rng(seed);
    const env::SessionSpec spec = toySpec(static_cast<std::int64_t>(rng.between(1, 2000)), names);
    Fixture many(spec, {.metric = "cost", .screen = ""}, {.jobs = 4, .snapshots = 3});
    Fixture plain(spec, {.metric = "cost", .screen = ""}, {.snapshots = 0});
    std::vector<Sequence> batch(300);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (i > 0) batch[i] = batch[rng.below(i)];
      batch[i].resize(rng.between(0, batch[i].size()));
      for (std::size_t more = rng.between(0, 4); more > 0; --more) {
        // Failing actions are rarer, or nothing would be left of the long sequences.
        batch[i].push_back(static_cast<env::ActionIndex>(
            rng.below(rng.chance(0.1) ? names.size() : fakes::kToyActions.size())));
      }
    }
    const auto a = many.evaluator->evaluate(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const Evaluation b = plain.evaluator->evaluateOne(batch[i], Effort::kFresh);
      ASSERT_EQ(a[i].actions, batch[i]);
      ASSERT_EQ(a[i].verdict, b.verdict);
      // Of two failures the caches may know the first, where a replay runs on into the second.
      if (b.verdict == Verdict::kFailed) continue;
      ASSERT_EQ(a[i].value, b.value);
      ASSERT_EQ(a[i].state, b.state);
    }
    EXPECT_EQ(many.evaluator->statistics().evaluations, 300u);
    EXPECT_GT(many.evaluator->statistics().prefix_hits, 0u);
  }
}

// Says the count of a toy.
std::int64_t countOf(const RolloutState& state) { return state.observations.front().int64s()[0]; }

TEST(EvaluatorTest, ARolloutIsDecidedByTheStatesOnItsWay) {
  Fixture f(toySpec(100, kActions));
  std::vector<std::int64_t> seen;
  const Rollout::Choose choose = [&](const Sequence& so_far, const RolloutState& state) {
    EXPECT_EQ(so_far.size(), 1 + seen.size());
    seen.push_back(countOf(state));
    return seen.back() > 96 ? std::optional<env::ActionIndex>(kDec) : std::nullopt;
  };
  const Evaluation result = f.evaluator->evaluate({{{kDec}, choose}}, {"counters"}, 60).front();
  EXPECT_EQ(seen, (std::vector<std::int64_t>{99, 98, 97, 96}));
  EXPECT_EQ(result.actions, Sequence(4, kDec));
  EXPECT_EQ(result.value, 96);
  EXPECT_EQ(result.number, 1u) << "it is one evaluation";
  EXPECT_EQ(f.evaluator->statistics().passes, 4u);
  EXPECT_TRUE(f.evaluator->evaluateOne(Sequence(4, kDec)).cached);
}

TEST(EvaluatorTest, ToLookIsNoEvaluation) {
  for (const unsigned jobs : {1u, 3u}) {
    Fixture f(toySpec(100, kActions), {.metric = "count", .screen = ""}, {.jobs = jobs});
    const auto places = f.evaluator->look({{}, {kDec, kNoop, kDec}, {kDec, kCrash}}, {"counters"});
    ASSERT_EQ(places.size(), 3u);
    const auto count = [&](std::size_t i) { return places[i].state->observations().front().int64s()[0]; };
    EXPECT_EQ(count(0), 100);
    EXPECT_EQ(count(1), 98);
    EXPECT_EQ(places[1].actions, (Sequence{kDec, kDec})) << "what does nothing is left out";
    EXPECT_EQ(places[2].state, nullptr) << "it fails";
    const Statistics statistics = f.evaluator->statistics();
    EXPECT_EQ(statistics.evaluations, 0u);
    EXPECT_EQ(statistics.measurements, 0u);
    EXPECT_GE(statistics.passes, 3u);
    EXPECT_EQ(f.evaluator->evaluateOne({kDec, kDec}).value, 98);
  }
}

TEST(EvaluatorTest, WhatAnAnswerLedToIsObservedFromTheNearestSnapshot) {
  Fixture f(toySpec(100, kActions), {.metric = "count", .screen = ""});
  Evaluation answer = f.evaluator->evaluateOne({kDec, kDec});
  const auto seen = f.evaluator->observe(answer, "text");
  ASSERT_TRUE(seen && *seen);
  EXPECT_TRUE((*seen)->starts_with("toy 98 ")) << **seen;
  EXPECT_EQ(f.evaluator->statistics().evaluations, 1u);
  answer.state = {};
  EXPECT_FALSE(*f.evaluator->observe(answer, "text")) << "another state than it was";
  answer.actions.push_back(kCrash);
  EXPECT_FALSE(*f.evaluator->observe(answer, "text")) << "it fails";
}

TEST(EvaluatorTest, NobodyLooksForLongerThanThereIsTime) {
  const auto clock = std::make_shared<TickingClock>();
  Fixture f(toySpec(100, kActions), {.metric = "count", .screen = ""}, {.clock = clock});
  f.evaluator->limit({.seconds = 1});
  clock->now = 1002;
  EXPECT_EQ(f.evaluator->look({{kDec}}, {"counters"}).front().state, nullptr);
  EXPECT_TRUE(f.evaluator->status());
}

TEST(EvaluatorTest, WhatCannotBeObservedIsAnErrorOfOurs) {
  Fixture f(toySpec(100, kActions));
  EXPECT_EQ(f.evaluator->look({{kDec}}, {"nothing"}).front().state, nullptr);
  EXPECT_EQ(f.evaluator->status().error().code, ErrorCode::kNotFound);
}

TEST(EvaluatorTest, KnowsHowManyAreLeft) {
  Fixture f(toySpec(100, kActions));
  EXPECT_TRUE(std::isinf(f.evaluator->evaluationsLeft()));
  f.evaluator->limit({.evaluations = 2});
  f.evaluator->evaluateOne({kDec});
  EXPECT_EQ(f.evaluator->evaluationsLeft(), 1);
  f.evaluator->limit({.evaluations = 0});
  EXPECT_EQ(f.evaluator->evaluationsLeft(), 0);
}

TEST(EvaluatorTest, ARolloutEndsAtTheLengthLimitAndAtAFailure) {
  Fixture f(toySpec(100, kActions));
  const auto always = [](env::ActionIndex action) {
    return [action](const Sequence&, const RolloutState&) { return std::optional(action); };
  };
  const auto results = f.evaluator->evaluate(
      {{{}, always(kInc)}, {{kDec, kDec}, always(kDec)}, {{kDec}, always(kCrash)}, {{kCrash}, always(kDec)}},
      {"counters"}, 2);
  EXPECT_EQ(results[0].value, 102);
  EXPECT_EQ(results[1].actions, (Sequence{kDec, kDec})) << "it has no room left";
  EXPECT_EQ(results[2].actions, (Sequence{kDec, kCrash}));
  EXPECT_EQ(results[2].status, StepStatus::kCrashed);
  EXPECT_EQ(results[3].actions, Sequence{kCrash});
  EXPECT_EQ(results[3].verdict, Verdict::kFailed);
  EXPECT_TRUE(f.evaluator->evaluateOne({kDec, kCrash, kDec}).cached) << "what is fatal stays known";
  f.evaluator->limit({.evaluations = 5});
  EXPECT_EQ(f.evaluator->evaluate({{{}, always(kDec)}}, {}, 2)[0].verdict, Verdict::kSkipped);
}

TEST(EvaluatorTest, RolloutsAreTheSameOnAnyNumberOfLanes) {
  std::vector<std::string> names = fakes::kToyActions;
  names.insert(names.end(), fakes::kToyFailures.begin(), fakes::kToyFailures.end());
  const auto run = [&](unsigned jobs) {
    Fixture f(toySpec(1000, names), {.metric = "count", .screen = ""}, {.jobs = jobs});
    std::vector<Rollout> batch;
    for (std::uint64_t i = 0; i < 60; ++i) {
      batch.push_back({Sequence(i % 3, kDec), [i, &names](const Sequence& so_far, const RolloutState& state) {
                         Rng rng(i * 1000 + so_far.size() + static_cast<std::uint64_t>(countOf(state)));
                         if (rng.chance(0.1)) return std::optional<env::ActionIndex>();
                         return std::optional(static_cast<env::ActionIndex>(rng.below(names.size())));
                       }});
    }
    return f.evaluator->evaluate(std::move(batch), {"counters"}, 12);
  };
  const auto one = run(1), four = run(4);
  Fixture fresh(toySpec(1000, names));
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].actions, four[i].actions);
    ASSERT_EQ(one[i].verdict, four[i].verdict);
    ASSERT_EQ(one[i].value, four[i].value);
    const Evaluation replayed = fresh.evaluator->evaluateOne(one[i].actions, Effort::kFresh);
    ASSERT_EQ(one[i].verdict, replayed.verdict);
    if (!replayed.measured()) continue;
    ASSERT_EQ(one[i].value, replayed.value);
  }
}

}  // namespace
}  // namespace ordo::search
