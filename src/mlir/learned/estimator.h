// How long a schedule takes by what was measured of others: the model of costs (mlir/model/cost.h), with a
// factor for each operation that a small network says from what is done to it. So a kernel is known by its
// operations, and one of a kind that nobody has measured is the sum of what is known. Several networks
// learned from different parts of what was measured: what they disagree on counts as slow, so that a search
// among thousands does not find where one of them is wrong.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/model/schedule.h"
#include "policy/network.h"
#include "policy/safetensors.h"
#include "support/error.h"

namespace ordo::learned {

// Logarithms of factors are between minus this and this.
inline constexpr double kMostFactor = 6;

// Immutable and thread-safe.
class Estimator {
 public:
  // kNotFound or kUnavailable if the file cannot be read; otherwise as parse().
  static Result<Estimator> load(const std::filesystem::path& path);
  // What writeEstimator() wrote. `name` is for messages. kUnsupported for another format, or for other
  // features than this build has; kCorrupt for what does not hold together.
  static Result<Estimator> parse(std::string_view bytes, std::string_view name);

  const std::string& provenance() const { return provenance_; }

  // In units of the model of costs.
  double cycles(const model::Schedule& schedule) const;

 private:
  Estimator(std::vector<policy::Network> networks, std::string provenance)
      : networks_(std::move(networks)), provenance_(std::move(provenance)) {}

  std::vector<policy::Network> networks_;
  std::string provenance_;
};

// What several say together: the mean of the logarithms and their deviation. REQUIRES: one at least.
double together(std::span<const double> log_cycles);

// The file of one with these networks (docs/formats/kernel-weights.md). Does not check that it holds
// together: parse() does.
std::string writeEstimator(std::span<const std::vector<policy::Tensor>> networks,
                           const std::string& provenance);

}  // namespace ordo::learned
