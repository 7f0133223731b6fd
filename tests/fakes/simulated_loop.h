// A loop in a simulated service, from its store to its end: what tests of the controller have in common.
#pragma once

#include <gtest/gtest.h>

#include "loop/controller/controller.h"
#include "tests/fakes/simulated_world.h"

namespace ordo::fakes {

// Short windows, and few of them.
inline loop::LoopOptions quickLoop() {
  loop::LoopOptions options;
  options.tick_s = 2;
  options.window_s = 20;
  options.warmup_s = 20;
  options.ramp_hold_s = 10;
  options.reward.horizon = 120;
  options.reward.slo_s = 0.06;
  return options;
}

struct SimulatedLoop {
  SimulatedWorld world;
  loop::LoopOptions options = quickLoop();
  loop::Store store;
  std::string holder = "first";

  explicit SimulatedLoop(const SimulatedOptions& simulated = {}, const std::string& where = ":memory:")
      : world(simulated), store(*loop::Store::open(where, true)) {}

  // Ticks until nothing is left to do, at most so many times; `between` is called before each.
  void run(int most = 5000, const std::function<void(loop::Controller&)>& between = {}) {
    auto controller = loop::Controller::begin(store, world.world(), options, holder, world.now());
    ASSERT_TRUE(controller) << controller.error().message;
    for (int i = 0; i < most && !(*controller)->idle(); ++i) {
      if (between) between(**controller);
      world.pass(options.tick_s);
      const Status done = (*controller)->tick(world.now());
      ASSERT_TRUE(done) << done.error().message;
    }
  }

  loop::Experiment last() {
    const auto all = store.experiments();
    EXPECT_TRUE(all && !all->empty());
    return all->back();
  }
  loop::Outcome outcome() { return last().outcome.value_or(loop::Outcome::kVoid); }
  std::size_t rewards() { return store.rewards()->size(); }

  // What must be so after any loop, whatever happened in it.
  void expectAtRest() {
    EXPECT_EQ(world.canaryShare(), 0);
    EXPECT_FALSE(world.running(loop::Pool::kCanary));
    EXPECT_EQ(last().state, loop::State::kClosed);
    EXPECT_EQ(rewards(), store.experiments()->size());
    EXPECT_EQ(world.serving(loop::Pool::kProduction), *store.productionArtifact());
  }
};

// The outcome of one candidate, with what happens between ticks.
struct Ended {
  loop::Outcome outcome = loop::Outcome::kVoid;
  std::string cause = {};
  double requests = 0;  // that the canary got
  double seconds = 0;   // that it had traffic, to the second tick
  std::size_t alerts = 0;
  std::optional<double> value = {};
  bool censored = false;
};

using Between = std::function<void(SimulatedLoop&, int tick)>;

inline Ended runOne(const SimulatedProgram& program, const Between& between = {},
                    const std::function<void(SimulatedLoop&)>& prepare = {},
                    const SimulatedOptions& options = {}) {
  SimulatedLoop loop(options);
  loop.world.programs["candidate"] = program;
  loop.world.queue = {"candidate"};
  if (prepare) prepare(loop);
  int tick = 0;
  Ended ended;
  loop.run(5000, [&](loop::Controller&) {
    if (loop.world.canaryShare() > 0) ended.seconds += loop.options.tick_s;
    if (between) between(loop, ++tick);
  });
  loop.expectAtRest();
  ended.outcome = loop.outcome();
  const std::vector<loop::Transition> steps = *loop.store.transitions(loop.last().id);
  for (const loop::Transition& step : steps) ended.cause += step.cause + "; ";
  ended.requests = loop.world.canary_requests;
  ended.alerts = loop.world.alerts.size();
  const std::vector<loop::StoredReward> rewards = *loop.store.rewards();
  EXPECT_EQ(rewards.size(), 1u);
  ended.value = rewards.back().value;
  ended.censored = rewards.back().censored;
  return ended;
}

}  // namespace ordo::fakes
