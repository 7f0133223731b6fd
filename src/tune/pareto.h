// Tuning for several metrics at once: what there is between the best of one and the best of another.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tune/tune.h"

namespace ordo::tune {

struct Pareto {
  std::vector<std::string> metrics;
  std::vector<double> baseline;  // what it has of each
  // None betters another in every metric; in ascending order of the first. The recipe of each has the metrics
  // as its first figures, in this order. With the baseline's, if nothing betters that.
  std::vector<Tuned> points;
  std::size_t found = 0;               // points on the front of all that was seen
  std::set<std::vector<double>> seen;  // the metrics of every program that was measured
  std::vector<Refused> refused;        // of those that should have been points
  search::Statistics statistics;       // of all searches together

  const recipe::Figure& figure(std::size_t point, std::size_t metric) const {
    return points[point].recipe.figures[metric];
  }
};

// "ir_instructions,text_bytes". kInvalidArgument for fewer than two, one twice, or one that the backend does
// not have or that is another each time; run time, too, with the remedy.
Result<std::vector<std::string>> parseFront(const env::BackendInfo& info, std::string_view text);

// How many points a front of so many metrics has at most: the best of each is one of them.
constexpr std::size_t mostPoints(std::size_t metrics) { return metrics > 8 ? metrics : 8; }

// Searches for the best of each metric in turn, all of them measured of each candidate, and makes up to eight
// results, far apart, of the front of what was seen: each is replayed and measured anew, made as short as it
// can be without losing anything, and asked what gate.h says, as the result of tune() is; whoever fails is
// refused. options.objective is not used; options.limits hold for all points and are of other metrics.
// Errors as of tune().
Result<Pareto> findFront(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                         const std::vector<std::string>& metrics, TuneOptions options);

}  // namespace ordo::tune
