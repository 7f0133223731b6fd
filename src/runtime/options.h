// What a search for a faster program is told (faster.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "engine/knowledge.h"
#include "timing/rig.h"

namespace ordo::runtime {

// When a search learns what a program is worth: in the race and the trials at its end,
// or as it goes, by a quick measurement that says what to try next.
enum class Reward { kFinal, kImmediate };

struct FasterOptions {
  double budget_s = 60;
  double elsewhere_s = 0;  // of what the user gave, and not in it: for what they are told
  double most_s = 0;       // where runs are long the budget grows up to this
  engine::Learned learned = {};
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::optional<timing::Input> run = {};  // how the program is run, in `run_dir`; without it as its tests do
  std::filesystem::path run_dir = ".";
  Reward reward = Reward::kFinal;
  bool profile = true;  // let a run say which way branches go
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view)> on_phase = {};  // called with what is being done
};

}  // namespace ordo::runtime
