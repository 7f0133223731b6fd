// Trains an estimator's network on what was measured: within a kernel the logarithms of estimates should
// differ as those of times do, and where it is fast most of all; beside that, kernels among each other should
// be about right, so that the operations of one are, too.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mlir/model/schedule.h"
#include "policy/safetensors.h"

namespace ordo::learned {

// What is known of a schedule without measuring it, a row for each operation: model::cost(), then
// model::operationFeatures().
std::vector<float> rowsOf(const model::Schedule& schedule);
const std::vector<std::string>& rowNames();

// A schedule that was measured.
struct Sample {
  std::vector<std::vector<double>> operations;  // features of each
  std::vector<double> cycles;                   // costs of each
  double time_ns = 0;
};
// REQUIRES: whole rows.
Sample sampleOf(std::span<const float> rows, double time_ns);

// Those of one kernel, measured one after the other.
using Group = std::vector<Sample>;

struct FitSettings {
  std::size_t hidden = 32;
  std::size_t blocks = 1;
  std::size_t networks = 4;  // each leaves out a part of the groups, by chance
  std::size_t epochs = 120;
  double rate = 2e-3;
  double decay = 1e-3;  // of weights
  std::uint64_t seed = 1;
};

struct Fit {
  std::vector<std::vector<policy::Tensor>> networks;
  // Of the held-out groups, on the mean: the share of the logarithm of what the best sample has over the
  // first (the baseline), that the sample that is estimated best has; and the same for the model of costs.
  double share = 0, share_of_costs = 0;
};

// REQUIRES: groups, with two samples at least in each.
Fit fit(std::span<const Group> groups, std::span<const Group> held_out, const FitSettings& settings,
        const std::function<bool(std::size_t epoch, double loss)>& go_on = {});

}  // namespace ordo::learned
