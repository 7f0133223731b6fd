#include "search/searcher/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ordo::search {
namespace {

// One over the standard deviation of each feature; 0 for one that never varies.
std::vector<double> scalesOf(const Knowledge& knowledge) {
  std::vector<double> scales(knowledge.features.size());
  const auto count = static_cast<double>(knowledge.examples.size());
  for (std::size_t f = 0; f < scales.size(); ++f) {
    double mean = 0, variance = 0;
    for (const Knowledge::Example& example : knowledge.examples) mean += example.features[f] / count;
    for (const Knowledge::Example& example : knowledge.examples)
      variance += (example.features[f] - mean) * (example.features[f] - mean) / count;
    scales[f] = variance > 0 ? 1 / std::sqrt(variance) : 0;
  }
  return scales;
}

}  // namespace

std::vector<std::size_t> neighboursOf(const Knowledge& knowledge) {
  if (knowledge.features.empty()) return {};
  const std::vector<double> scales = scalesOf(knowledge);
  std::vector<double> squares(knowledge.examples.size());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    for (std::size_t f = 0; f < scales.size(); ++f) {
      const double apart = (knowledge.examples[i].features[f] - knowledge.features[f]) * scales[f];
      squares[i] += apart * apart;
    }
  }
  std::vector<std::size_t> order(squares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(squares[i], i); });
  return order;
}

}  // namespace ordo::search
