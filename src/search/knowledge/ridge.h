// Ridge regression: a linear model that a few noisy examples of many features determine, because large
// weights cost.
//
// Source: A. E. Hoerl, R. W. Kennard, "Ridge Regression", Technometrics 12, 1970; what weights cost is chosen
// by the error of leaving each example out (D. M. Allen's PRESS, Technometrics 16, 1974).
#pragma once

#include <span>
#include <vector>

namespace ordo::search {

class Ridge {
 public:
  using Row = std::vector<double>;

  // Knows nothing: predicts 0.
  Ridge() = default;

  // Features are put on one scale; one that is the same in all rows has no weight. Takes the cube of the
  // number of rows. REQUIRES: as many rows as targets, at least two, all equally long; finite numbers.
  Ridge(std::span<const Row> rows, std::span<const double> targets);

  // REQUIRES: as long as the rows it was made of.
  double predict(const Row& row) const;

  // What a unit of each feature adds to a prediction.
  const Row& weights() const { return weights_; }

 private:
  double mean_ = 0;       // of the targets
  Row centre_, weights_;  // of the features, in their own units
};

}  // namespace ordo::search
