// An observation of a running program: what only shows when the program of a state is built and run, as its
// tests say. One file in builtin/ is one such observation (docs/recipes/add-an-observation.md). Sessions have
// them through running/backend.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "env/session.h"
#include "support/error.h"

namespace ordo::running {

struct RunObservationInfo {
  std::string_view name;  // of no observation of a backend; persistent API, as `version` is
  int version;
  std::string_view summary;  // ends with its price
  std::span<const std::string_view> element_names;
  // kUnavailable, with the remedy, if this machine has nothing to observe it with. Thread-safe.
  Status (*available)();
  // One number for each name. `executable` is "" if the state could not be built, and that, like a run that
  // fails, is something to say in numbers; an error is our own failure. REQUIRES: a program that runs
  // (datasets::runsOf()), and available(). Thread-safe.
  Result<std::vector<std::int64_t>> (*observe)(const datasets::Program& program,
                                               const std::filesystem::path& executable);
};

// All of them, by name.
std::span<const RunObservationInfo* const> catalog();

// Null if there is none of that name.
const RunObservationInfo* find(std::string_view name);

// `info` with these observations behind its own.
env::BackendInfo withRunObservations(env::BackendInfo info);

}  // namespace ordo::running
