// Evolution of a handful of numbers by what whole modules cost: separable CMA-ES (Ros and Hansen, 2008,
// https://doi.org/10.1007/978-3-540-87700-4_30), which learns a step for each number beside the numbers. It
// looks at nothing but which candidates were better, so costs may be noise on top of any scale.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::advice {

class Evolution {
 public:
  // From `mean`, in steps of about `step`. REQUIRES: a mean that is not empty, a step above 0.
  Evolution(std::vector<double> mean, double step, std::uint64_t seed);

  // This generation's, the same whenever it is asked.
  std::vector<std::vector<double>> candidates(std::size_t count) const;

  // Ends the generation. REQUIRES: what candidates() gave, and a cost for each.
  void learn(const std::vector<std::vector<double>>& tried, std::span<const double> costs);

  const std::vector<double>& mean() const { return mean_; }
  std::size_t generation() const { return generation_; }
  double step() const { return step_; }

  // As one line of JSON, to go on from. kCorrupt for what is none.
  std::string write() const;
  static Result<Evolution> parse(std::string_view text, const std::string& where);

 private:
  std::vector<double> mean_, variance_, path_, step_path_;
  double step_;
  std::uint64_t seed_;
  std::size_t generation_ = 0;
};

}  // namespace ordo::advice
