// A state of an environment as a line of text: a program, the actions applied to it, and what that was
// worth. Replaying the actions gives the state again, anywhere. docs/formats/state.md describes the two
// files, JSON lines and CSV; a change of meaning bumps kStateFormat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/hash.h"

namespace ordo::recipe {

inline constexpr std::int64_t kStateFormat = 1;

struct State {
  std::string program;               // its URI
  std::string level = "Oz";          // of clang, which compiled it before any pass
  Hash128 program_hash;              // of that bitcode: env::EpisodeProgram::hash
  std::string space;                 // a name or a path
  Hash128 space_hash;                // spaces::Space::hash
  std::vector<std::string> actions;  // names, in the order they were applied
  std::string metric;                // "ir_instructions"
  double value = 0;                  // of the metric, in this state
  std::string reward;                // "ir_instructions/gap:clang-Oz"; "" if there is none
  std::optional<double> earned;      // all rewards since the reset; absent if `reward` is ""
  double walltime_s = 0;             // that the episode took; for information

  bool operator==(const State&) const = default;
};

// One line of JSON, without its end.
std::string writeStateJson(const State& state);

// The first line of a CSV file and one for a state, without their ends. kInvalidArgument for an action
// that has a space in it, which no action of a manifest has.
std::string stateCsvHeader();
Result<std::string> writeStateCsv(const State& state);

// All states of a file of either kind, told apart by its first character. kCorrupt with file and line if
// anything is missing, unknown or of another type; kUnsupported for a newer format. `name` is for
// messages.
Result<std::vector<State>> parseStates(std::string_view text, std::string_view name);

}  // namespace ordo::recipe
