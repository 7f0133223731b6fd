// Trains the policy of kernels: schedules are measured on kernels of the part for training, a network learns
// from all that was measured how long a schedule takes (mlir/learned/fit.h), and says what to measure next.
// In the first round the model of costs says it. All that was measured is kept in a folder, and goes on from
// there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "support/error.h"

namespace ordo::campaigns {

struct KernelTraining {
  std::size_t rounds = 3;
  std::size_t kernels = 120, held_out_kernels = 24;  // of each round
  std::size_t epochs = 120;
  double most_work = 0x1p27;  // the product of a kernel's sizes, at most
  std::uint64_t seed = 1;
  std::filesystem::path run;  // the folder
  std::string provenance;     // the command, for whoever finds the weights
  // Told what is going on, often; false stops.
  std::function<bool(std::string_view)> progress;
  // Told what is found on the way.
  std::function<void(std::string_view)> note;
};

struct TrainedKernels {
  std::string weights;                                           // the file; empty if it was stopped
  std::size_t kernels = 0, schedules = 0, held_out_kernels = 0;  // measured
  // On the held-out kernels, of what was measured: the share of the logarithm of what the best schedule has
  // over the fair baseline, that the one has which is estimated best; by the network, and by the model of
  // costs.
  double share = 0, share_of_costs = 0;
};

// Errors of files, of the dataset and of the workers. A schedule that fails is passed over. REQUIRES: an
// engine for kernels.
Result<TrainedKernels> trainKernels(engine::Engine& engine, const KernelTraining& options);

// Kernels of a part of the dataset: those that are listed, each as often as another of a size near it that is
// of the same part, by chance. Those of other parts are never named.
Result<std::vector<std::string>> drawKernels(bool held_out, std::size_t count, double most_work,
                                             std::uint64_t seed);

}  // namespace ordo::campaigns
