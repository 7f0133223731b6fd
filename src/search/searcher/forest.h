// A random forest for regression: trees grown on bootstrap samples of the rows, each split the one that
// lowers the squared error most among a random third of the features. Features are small levels, so
// that a split is found by counting, without sorting.
//
// Source: L. Breiman, "Random forests", Machine Learning 45, 2001.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "support/rng.h"

namespace ordo::search {

class Forest {
 public:
  static constexpr std::uint8_t kLevels = 16;

  // Features of one example, each a level below kLevels.
  using Row = std::vector<std::uint8_t>;

  struct Prediction {
    double mean = 0;
    double deviation = 0;  // standard deviation between the trees
  };

  // Without trees: predicts 0.
  Forest() = default;

  // Grows `trees` of them. REQUIRES: as many rows as targets, at least one, all equally long, not empty.
  Forest(std::span<const Row> rows, std::span<const double> targets, std::size_t trees, Rng& rng);

  // REQUIRES: as long as the rows it was grown on.
  Prediction predict(const Row& row) const;

  // Which share of all error removed by splits each feature removed; all 0 if there are no splits.
  const std::vector<double>& importances() const { return importances_; }

 private:
  friend class TreeGrower;

  struct Node {
    std::size_t feature = 0;
    std::uint8_t level = 0;  // up to here to `below`, else to `below` + 1
    std::size_t below = 0;   // 0: a leaf
    double value = 0;        // of a leaf
  };

  std::vector<std::vector<Node>> trees_;
  std::vector<double> importances_;
};

}  // namespace ordo::search
