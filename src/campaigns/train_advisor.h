// Trains an inlining advisor for size or for speed: which single decisions pay is searched on modules to
// learn from (advice/search.h), a network imitates that, evolution strategies go on from there on whole
// modules, and how much it has to promise before it is followed is set on modules of other packages.
// Everything that takes long is kept in a folder, and goes on from there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::campaigns {

struct AdvisorTraining {
  // Modules or folders of bitcode; none: of the dataset debian, its parts for training and for validation.
  std::vector<std::string> programs, held_out;
  std::size_t modules = 400, held_out_modules = 120;  // of the dataset, at most so many
  std::size_t tries = 48;                             // compiles for each module
  std::size_t generations = 20;                       // of evolution strategies; may be none
  // Not for bytes of code at -Oz but for the time that is estimated at -O3 (llvm/advisors/speed_trial.h): all
  // that is said of bytes is then said of twentieths of a percent.
  bool speed = false;
  // For who compiles both and takes the smaller (ORDO_ADVISORS=race): what would be larger costs nothing, so
  // that the network may promise less before it is followed.
  bool race = false;
  unsigned jobs = 1;
  std::uint64_t seed = 1;
  std::filesystem::path run;  // the folder
  std::string provenance;     // the command, for whoever finds the weights
  // Told what is going on, often; false stops.
  std::function<bool(std::string_view)> progress;
  // Told what is found on the way.
  std::function<void(std::string_view)> note;
};

// What the weights do to modules that they were not trained on, in bytes of code.
struct AdvisedTotals {
  std::size_t modules = 0, smaller = 0, larger = 0;
  double usual = 0, advised = 0;
  double log_ratio = 0;  // mean over modules of log(advised / usual); in a race of the smaller to the usual
};

struct TrainedAdvisor {
  std::string weights;     // the file; empty if it was stopped
  AdvisedTotals held_out;  // chosen on these
};

// kInvalidArgument for a program that nothing may be learned from, and where nothing is asked in any module.
Result<TrainedAdvisor> trainInlining(const AdvisorTraining& options);

}  // namespace ordo::campaigns
