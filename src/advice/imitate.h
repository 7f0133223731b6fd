// Trains an advisor's network on what single decisions saved: for each answer that was tried its logit,
// beside that of the usual answer, becomes the bytes saved by it, in units and cut off.
//
// One thread: the same seed gives the same weights.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "advice/search.h"
#include "env/advisor.h"
#include "policy/network.h"
#include "policy/safetensors.h"

namespace ordo::advice {

inline constexpr float kUnit = 16;  // bytes
inline constexpr float kMost = 6;   // units

struct ImitationSettings {
  std::size_t hidden = 32;
  std::size_t blocks = 1;
  std::size_t most_epochs = 60;
  std::size_t patience = 8;  // epochs without a smaller loss on the held-out examples
  double rate = 2e-3;
  double decay = 1e-4;  // of weights
  std::uint64_t seed = 1;
  float unit = kUnit;                  // of what is saved
  float least = -kMost, most = kMost;  // units: where that is cut off
};

struct Imitation {
  std::vector<policy::Tensor> tensors;  // of the epoch that was best on the held-out examples
  std::size_t epochs = 0;
  double loss = 0, held_out_loss = 0;  // Huber's, per answer that was tried
};

// REQUIRES: examples of `spec`, and some with an answer that was tried in each of the two.
Imitation imitate(const env::DecisionSpec& spec, std::span<const Example> examples,
                  std::span<const Example> held_out, const ImitationSettings& settings,
                  const std::function<bool(std::size_t epoch, double held_out_loss)>& go_on = {});

}  // namespace ordo::advice
