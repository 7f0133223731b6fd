// The whole loop in simulated services, for longer than unit tests may take: months, a thousand experiments,
// a kill before each call to the world.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "loop/learning/values.h"
#include "tests/fakes/simulated_loop.h"

namespace ordo::loop {
namespace {

using fakes::SimulatedLoop;

// What a kill leaves: nothing runs any more.
struct Killed {};

// So many experiments, of which `chooser` says what is tried.
void learn(SimulatedLoop& loop, Chooser& chooser, std::size_t experiments) {
  loop.options.most_experiments = experiments;
  World world = loop.world.world();
  World learning{world.builder, world.stage, world.pools,    world.traffic,
                 world.metrics, chooser,     world.listener, world.errands};
  auto controller = Controller::begin(loop.store, learning, loop.options, loop.holder, loop.world.now());
  ASSERT_TRUE(controller);
  while (!(*controller)->idle()) {
    loop.world.pass(loop.options.tick_s);
    ASSERT_TRUE((*controller)->tick(loop.world.now()));
  }
}

// The sweep over crash points: a controller is killed before each call that it makes to the world, once.
TEST(LoopSimulationTest, KilledAnywhereItComesToTheSameEnd) {
  const auto prepare = [](SimulatedLoop& loop) {
    loop.options.window_s = 10;
    loop.options.reward.fewest_requests = 50;
    loop.options.reward.horizon = 100;
    loop.world.programs["fast"] = {.time = 0.6};  // plain, whatever the kill does to chance
    loop.world.programs["crash"] = {.staged = 0.01, .crash_after_s = 60};
    loop.world.queue = {"fast", "crash"};
  };
  int calls = 0;
  {
    SimulatedLoop loop;
    prepare(loop);
    loop.world.on_call = [&](const std::string&) { ++calls; };
    loop.run();
    EXPECT_EQ((*loop.store.experiments())[0].outcome, Outcome::kPromoted) << loop.last().cause;
    EXPECT_EQ((*loop.store.experiments())[1].outcome, Outcome::kRolledBack);
  }
  for (int kill = 0; kill < calls; ++kill) {
    SimulatedLoop loop;
    prepare(loop);
    int call = 0;
    loop.world.on_call = [&](const std::string&) {
      if (call++ == kill) throw Killed();
    };
    for (int life = 0; life < 3; ++life) {
      loop.holder = std::to_string(life);
      try {
        loop.run();
        break;
      } catch (const Killed&) {
        loop.world.pass(loop.options.lease_s + 1);  // until the dead one's lease has run out
      }
    }
    // Of a choice that was made and not recorded nothing is known: the queue is one short then.
    const std::vector<Experiment> all = *loop.store.experiments();
    ASSERT_GE(all.size(), 1u) << kill;
    for (const Experiment& experiment : all) {
      const Outcome expected = experiment.candidate == "fast" ? Outcome::kPromoted : Outcome::kRolledBack;
      EXPECT_EQ(experiment.outcome, expected) << kill << ": " << experiment.cause;
    }
    loop.expectAtRest();
  }
}

// Equal programs, day and night, on ten thousand instances that are not all alike, for months.
TEST(LoopSimulationTest, MonthsOfEqualProgramsPromoteNothing) {
  SimulatedLoop loop({.rate = 20'000, .instances = 10'000, .luck = 0.05, .most_draws = 100});
  loop.options.window_s = 3600;
  loop.options.tick_s = 600;
  loop.options.lease_s = 1800;
  loop.options.reward.horizon = 96;
  loop.options.warmup_s = 600;
  loop.options.ramp_hold_s = 600;
  loop.options.spending_s = 3600;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "equal" + std::to_string(i);
    loop.world.programs[name] = {};
    loop.world.queue.push_back(name);
  }
  const double began = loop.world.now();
  loop.run(200'000);
  const Result<std::vector<Experiment>> experiments = loop.store.experiments();
  for (const Experiment& experiment : *experiments)
    EXPECT_EQ(experiment.outcome, Outcome::kInconclusive) << experiment.cause;
  EXPECT_GT(loop.world.now() - began, 30 * 86400.0);
  loop.expectAtRest();
}

// The whole loop learns: after ten experiments production has nine tenths of what the best of six programs is
// worth, and again ten experiments after the load has shifted, whatever chance there was.
TEST(LoopSimulationTest, ALoopFindsTheBestAndFindsAnotherAfterAShift) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SimulatedLoop loop({.seed = seed});
    loop.options.seed = seed;
    const std::map<std::string, double> times = {
        {"a", 0.9}, {"b", 0.8}, {"c", 1.05}, {"d", 0.97}, {"e", 1.0}};
    std::vector<std::string> names;
    for (const auto& [name, time] : times) {
      loop.world.programs[name] = {.time = time, .staged = 0.001};
      names.push_back(name);
    }
    ThompsonChooser chooser(loop.store, names, "", {});
    // Of what an oracle, who knows all times, would gain over the first production.
    const auto gained = [&] {
      double best = 1;
      for (const std::string& name : names) best = std::min(best, loop.world.programs[name].time);
      return std::log(loop.world.programs[*loop.store.production()].time) / std::log(best);
    };
    learn(loop, chooser, 10);
    EXPECT_GE(gained(), 0.9) << seed << ": " << *loop.store.production();
    loop.world.programs["b"].time = 1.0;  // the load has shifted
    loop.world.programs["d"].time = 0.75;
    learn(loop, chooser, 10);
    EXPECT_GE(gained(), 0.9) << seed << ": " << *loop.store.production();
  }
}

// Rewards that say nothing of the programs, because all are alike, must not move production.
TEST(LoopSimulationTest, ALoopOfProgramsThatAreAlikeStaysWhereItIs) {
  SimulatedLoop loop;
  std::vector<std::string> names = {"a", "b", "c", "d"};
  for (const std::string& name : names) loop.world.programs[name] = {.staged = 0.001};
  ThompsonChooser chooser(loop.store, names, "", {});
  learn(loop, chooser, 10);
  EXPECT_EQ(*loop.store.production(), "");
  for (const StoredReward& reward : *loop.store.rewards()) EXPECT_NEAR(*reward.value, 0, 0.02);
}

double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

// A thousand experiments with equal programs: windows whose ratio has a slow part and a fast one, and an
// objective that both violate as often. A look after every eighth window, the first verdict counts.
TEST(LoopSimulationTest, OfAThousandEqualProgramsOneInAHundredIsPromotedAtMost) {
  int promoted = 0, rejected = 0;
  constexpr int kExperiments = 1000;
  constexpr std::size_t kWindows = 200;
  RewardOptions options;
  options.least_effect = 0;  // no margin helps
  options.horizon = kWindows;
  for (int experiment = 0; experiment < kExperiments; ++experiment) {
    Rng rng(static_cast<std::uint64_t>(experiment) + 1);
    std::vector<Window> windows;
    double moods[2] = {normal(rng), normal(rng)};
    for (std::size_t i = 0; i < kWindows; ++i) {
      Window window{.begin_s = static_cast<double>(i), .end_s = static_cast<double>(i) + 1};
      for (int arm = 0; arm < 2; ++arm) {
        moods[arm] = 0.9 * moods[arm] + std::sqrt(1 - 0.81) * normal(rng);
        const double scale = 0.02 * std::exp(0.03 * (moods[arm] + normal(rng)));
        ArmWindow& seen = arm == 0 ? window.control : window.canary;
        // Quantiles of a lognormal; the rest of chance is in the scale.
        for (const double at : {-1.6, -0.9, -0.5, -0.2, 0.1, 0.4, 0.7, 1.1, 1.7, 2.5})
          seen.latency.add(scale * std::exp(0.4 * at), at > 2 ? 2 : at > 1.5 ? 8 : 12);
      }
      windows.push_back(std::move(window));
      if (i % 8 != 7) continue;
      const Verdict verdict = computeReward(windows, options).verdict;
      if (verdict == Verdict::kPending) continue;
      promoted += verdict == Verdict::kPromote;
      rejected += verdict == Verdict::kReject;
      break;
    }
  }
  EXPECT_LE(promoted, kExperiments / 100);
  EXPECT_LE(rejected, kExperiments / 100);
  RecordProperty("promoted", promoted);
  RecordProperty("rejected", rejected);
}

}  // namespace
}  // namespace ordo::loop
