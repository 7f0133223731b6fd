// Experience: what searches found on training programs, for whoever learns from it. A file
// (docs/formats/experience.md) has a header and one record per line: a run, or a program that is left out.
// These are the records; encode.h and decode.h turn them into lines and back, reader.h and writer.h know
// files, slim.h makes small ones.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "support/dtype.h"
#include "support/hash.h"

namespace ordo::experience {

inline constexpr std::int64_t kFormat = 1;

// No line is longer: with room for 100,000 sequences, and small enough to be read whole.
inline constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;
// No sequence is longer.
inline constexpr std::size_t kMaxActions = 10'000;

// What is observed of a state: `width` numbers, kInt64 or kFloat32.
struct ObservationInfo {
  std::string name;
  std::int64_t version = 1;
  DType dtype = DType::kInt64;
  std::uint32_t width = 0;

  bool operator==(const ObservationInfo&) const = default;
};

// What a slim file has kept of the sequences that a run tried.
struct Sample {
  std::uint64_t best = 0;    // so many of those with the best values
  std::uint64_t others = 0;  // at most so many of the rest, chosen by chance
  std::uint64_t seed = 1;    // of that chance

  bool operator==(const Sample&) const = default;
};

// What all runs of a file have in common: only such may be added to it.
struct Header {
  std::string backend;  // "llvm"
  std::string version;  // of the backend: "22.1.8"
  std::string space;
  Hash128 space_hash;
  std::string baseline;                // the first seed of every search: "clang-Oz"
  std::string budget;                  // of a run: "1000evals"
  std::string knowledge;               // hash of the file of what searchers knew of other programs, or "none"
  std::uint64_t max_length = 0;        // of sequences that were tried
  std::uint64_t max_instructions = 0;  // of a program before any action; larger ones are left out
  std::uint64_t best = 0;              // at most so many of a run's best sequences are told
  std::vector<std::string> actions;    // what sequences index
  std::vector<ObservationInfo> observations = {};  // of recorded states; none: no states are recorded
  std::optional<Sample> sample = std::nullopt;     // of a slim file

  bool operator==(const Header&) const = default;
};

using Sequence = std::vector<std::uint32_t>;   // indices into Header::actions
using Values = std::map<std::string, double>;  // by metric

// One observation of a state: as many numbers as it is wide, of its type.
using Numbers = std::variant<std::vector<std::int64_t>, std::vector<float>>;
// One for each of Header::observations, in that order.
using State = std::vector<Numbers>;

// A sequence that was evaluated.
struct Attempt {
  Sequence actions;
  std::optional<double> value = std::nullopt;   // the objective's; absent if it failed or was screened out
  std::optional<double> screen = std::nullopt;  // of the metric that ruled it out, if one did
};

// One of the best, replayed in a session of its own.
struct Best {
  Sequence actions;
  Values values;  // at least the objective's
  // Indices into Run::states: before the first action and after each. Empty if none are recorded.
  std::vector<std::uint32_t> states = {};
};

struct RunKey {
  std::string uri;  // of the program
  std::string objective;
  std::string searcher;
  std::uint64_t seed = 0;

  auto operator<=>(const RunKey&) const = default;
};

struct Run {
  RunKey key;
  Hash128 hash;                // of the program's IR before any action
  std::uint64_t compiles = 0;  // evaluations spent
  double cpu_s = 0;            // processor time of all processes
  // What is to be had of the program as given ("initial") and after each baseline ("clang-Oz").
  std::map<std::string, Values> references;
  std::vector<Attempt> tried;      // distinct sequences, in the order of their first evaluation
  std::vector<Best> best;          // with distinct resulting programs, best first
  std::vector<State> states = {};  // distinct
};

// A program that there is no experience of, and why, so that it is not tried again.
struct Omission {
  std::string uri;
  std::string objective;  // only for this one; "" is all
  std::string reason;
};

using Record = std::variant<Run, Omission>;

}  // namespace ordo::experience
