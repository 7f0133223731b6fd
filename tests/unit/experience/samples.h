// Experience that nobody had, for tests.
#pragma once

#include <bit>
#include <cmath>

#include "experience/experience.h"
#include "support/rng.h"

namespace ordo::experience {

inline Header sampleHeader() {
  Header header;
  header.backend = "toy";
  header.version = "1";
  header.space = "small";
  header.space_hash = hashBytes("small");
  header.baseline = "base";
  header.budget = "100evals";
  header.knowledge = "none";
  header.max_length = 60;
  header.max_instructions = 5000;
  header.best = 8;
  header.actions = {"base", "dec", "inc"};
  header.observations = {{"counters", 1, DType::kInt64, 2}, {"vector", 2, DType::kFloat32, 3}};
  return header;
}

inline Run sampleRun(std::uint64_t seed = 1) {
  Run run;
  run.key = {"toy/a \"quoted\"\n", "count", "random", seed};
  run.hash = hashBytes("a");
  run.compiles = 100;
  run.cpu_s = 1.25;
  run.references = {{"initial", {{"count", 20}, {"cost", 201.5}}}, {"base", {{"count", 12}}}};
  run.tried = {{{0}, 12, {}}, {{}, 20, {}}, {{1, 2}, {}, {}}, {{1, 1}, {}, 99}};
  run.states = {{std::vector<std::int64_t>{1, -2}, std::vector<float>{0.1f, -0.0f, 1e-30f}},
                {std::vector<std::int64_t>{3, 4}, std::vector<float>{1, 2, 3}}};
  run.best = {{{0}, {{"count", 12}}, {0, 1}}, {{}, {{"count", 20}, {"cost", 201}}, {0}}};
  return run;
}

// Any that a header of this kind allows; floats have any bits but those of what is not finite.
inline Run randomRun(Rng& rng) {
  Run run = sampleRun(rng.next() >> 1);
  run.compiles = rng.below(1000);
  run.cpu_s = rng.uniform() * 100;
  const auto number = [&] {
    return std::ldexp(rng.uniform() - 0.5, static_cast<int>(rng.between(0, 200)) - 100);
  };
  const auto sequence = [&] {
    Sequence actions(rng.below(20));
    for (std::uint32_t& action : actions) action = static_cast<std::uint32_t>(rng.below(3));
    return actions;
  };
  run.tried.clear();
  std::map<Sequence, bool> distinct;
  for (std::uint64_t left = rng.below(30); left > 0; --left) {
    Attempt attempt{sequence(), std::nullopt, std::nullopt};
    if (!distinct.emplace(attempt.actions, true).second) continue;
    if (rng.chance(0.7))
      attempt.value = number();
    else if (rng.chance(0.5))
      attempt.screen = number();
    run.tried.push_back(std::move(attempt));
  }
  run.states.clear();
  for (std::uint64_t left = rng.between(1, 5); left > 0; --left) {
    std::vector<std::int64_t> counters{static_cast<std::int64_t>(rng.next()), -1};
    std::vector<float> vector;
    while (vector.size() < 3) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(rng.next()));
      if (std::isfinite(value)) vector.push_back(value);
    }
    run.states.push_back({std::move(counters), std::move(vector)});
  }
  run.best.clear();
  for (std::uint64_t left = rng.below(8); left > 0; --left) {
    Best best{sequence(), {{"count", number()}}, {}};
    for (std::size_t i = 0; i <= best.actions.size(); ++i)
      best.states.push_back(static_cast<std::uint32_t>(rng.below(run.states.size())));
    run.best.push_back(std::move(best));
  }
  return run;
}

}  // namespace ordo::experience
