// The points that nothing seen betters in every one of several metrics: a Pareto front.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "search/evaluation/evaluation.h"

namespace ordo::search {

// Whether `a` is nowhere worse than `b`, and somewhere better. Lower is better. REQUIRES: equal lengths.
bool dominates(std::span<const double> a, std::span<const double> b);

struct FrontPoint {
  Sequence actions;
  std::vector<double> values;  // of each metric
};

class Front {
 public:
  // Whether it is on the front now; what it dominates is there no longer. Of those with equal values the
  // shortest sequence is kept, among these the first. REQUIRES: as many values as the others have, none NaN.
  bool insert(FrontPoint point);

  // In ascending order of the first metric, then the second, and so on. No two have equal values.
  const std::vector<FrontPoint>& points() const { return points_; }

  // At most `most` of them, in the same order, far apart: who is nearest to its neighbours goes first (the
  // crowding distance of Deb et al., NSGA-II, IEEE Trans. Evol. Comp. 6, 2002, taken anew after each). The
  // best of each metric stays. REQUIRES: most >= the number of metrics.
  std::vector<FrontPoint> spread(std::size_t most) const;

 private:
  std::vector<FrontPoint> points_;
};

}  // namespace ordo::search
