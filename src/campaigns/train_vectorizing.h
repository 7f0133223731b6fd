// Trains an advisor of vector factors: generated loops (advice/loop_source.h) are timed on this machine with
// every width and count, for each target that it can run; a network learns what each is worth over LLVM's own
// choice, and how much it has to promise before it is followed is set on loops of other shapes. Times are
// kept in a folder, and the same command goes on from there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::campaigns {

struct VectorizingTraining {
  std::size_t loops = 600;  // half of them of all kinds, half plain
  std::uint64_t seed = 1;   // of the network
  std::size_t most_epochs = 80;
  std::filesystem::path run;  // the folder: times.jsonl
  std::string provenance;     // the command, for whoever finds the weights
  // Told what is going on, often; false stops.
  std::function<bool(std::string_view)> progress;
  // Told what is found on the way.
  std::function<void(std::string_view)> note;
};

// What the weights do to loops of shapes that they were not trained on.
struct VectorizingTotals {
  std::size_t cases = 0, advised = 0, slower = 0;  // slower: below kFloor of LLVM's speed
  double log_speedup = 0, best_log_speedup = 0;    // means; of the best answer for each loop
  double worst = 1;                                // speedup
};
inline constexpr double kFloor = 0.97;

struct TrainedVectorizing {
  std::string weights;  // the file; empty if it was stopped
  VectorizingTotals held_out;
};

// kInvalidArgument if too few loops were timed to learn from.
Result<TrainedVectorizing> trainVectorizing(const VectorizingTraining& options);

}  // namespace ordo::campaigns
