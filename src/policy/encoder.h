// What a policy sees of an episode: a fixed list of observations, at the beginning and now, the actions so
// far, what is to be minimised, how that stands, and how much of the episode is left, as one vector of
// floats.
//
// A network that was trained on one layout means nothing on another, so the layout is described by a text,
// the *feature schema*, and its hash is kept with the weights. Whatever changes a feature must change its
// line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/metric.h"
#include "env/session.h"
#include "support/dtype.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::policy {

// An observation of the backend that is part of the features.
struct Input {
  std::string_view name;
  int version = 1;
  DType dtype = DType::kInt64;
  std::uint32_t width = 0;
};

inline constexpr std::array<Input, 2> kInputs{{
    {"autophase", 1, DType::kInt64, 56},
    {"ir2vec", 1, DType::kFloat32, 64},
}};
// The element of autophase that counts instructions, by which embeddings are divided.
inline constexpr std::size_t kTotalInsts = 51;

// What may be minimised, in the order of the features. `runtime` is no metric yet, but has its place.
inline constexpr std::array<std::string_view, 3> kObjectives{env::kIrInstructions, env::kTextBytes,
                                                             env::kRuntime};

// The objective whose value is kTotalInsts of autophase.
inline constexpr std::string_view kInstructions = kObjectives.front();

// How much each of kObjectives matters; 1 in all. The schema calls it one-hot, which it is where one alone is
// minimised.
using Preference = std::array<float, kObjectives.size()>;

// Of an objective (env/preference.h). kUnsupported, with what there is, for a metric that is none of
// kObjectives.
Result<Preference> preferenceOf(std::string_view objective);

// An action that the policy does not know, in a history.
inline constexpr std::uint32_t kOtherAction = 0xffffffff;

// A state of an episode. Borrows everything.
struct Situation {
  struct Pair {
    env::Observation start;  // of the program as given
    env::Observation now;
  };

  std::array<Pair, kInputs.size()> observations;  // in the order of kInputs
  std::span<const std::uint32_t> history;         // the policy's actions since the start, or kOtherAction
  Preference preference = {};                     // what is to be minimised
  // The objective's value, each where it is known: of the program as given, of the baseline, now.
  std::optional<double> start_value, baseline_value, value;
  std::uint32_t steps = 0;      // taken so far
  std::uint32_t max_steps = 0;  // that the episode may have
  bool only = false;  // this is to be the only answer, rather than one of many, the best of which counts
};

// Immutable and thread-safe.
class Encoder {
 public:
  // For a policy with so many actions, stop not counted.
  explicit Encoder(std::size_t actions);

  // How many floats encode() writes.
  std::size_t width() const { return width_; }

  // "name\tversion\twidth\ttransform\n" for each group of features, in order.
  const std::string& schema() const { return schema_; }
  Hash128 schemaHash() const { return hashBytes(schema_); }

  // Writes all features, each finite and at most 1e6 in magnitude, the same bits on every machine.
  // kInvalidArgument, with the name, for an observation of another type or width, a number that is
  // negative or not finite where a count belongs, weights that are not 1 in all, or more steps than
  // max_steps. After an error `features` hold anything. REQUIRES: features.size() == width(), each entry of
  // the history < actions or kOtherAction.
  Status encode(const Situation& situation, std::span<float> features) const;

 private:
  std::size_t actions_;
  std::size_t width_ = 0;
  std::string schema_;
};

// kUnsupported, with the name, unless a backend with these observations has all kInputs as they are expected.
Status checkInputs(std::span<const env::ObservationInfo> offered);

}  // namespace ordo::policy
