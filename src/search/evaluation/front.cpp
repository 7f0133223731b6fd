#include "search/evaluation/front.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ordo::search {
namespace {

// Of each point: how far apart its neighbours are, in shares of each metric's range, summed over metrics.
// Infinite for the best of a metric; the worst has one neighbour.
std::vector<double> crowding(std::span<const FrontPoint> points) {
  std::vector<double> distances(points.size());
  std::vector<std::size_t> order(points.size());
  for (std::size_t metric = 0; metric < points.front().values.size(); ++metric) {
    const auto value = [&](std::size_t i) { return points[i].values[metric]; };
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return value(a) != value(b) ? value(a) < value(b) : a < b;
    });
    const double range = value(order.back()) - value(order.front());
    distances[order.front()] = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; range > 0 && i < order.size(); ++i) {
      const std::size_t next = std::min(i + 1, order.size() - 1);
      distances[order[i]] += (value(order[next]) - value(order[i - 1])) / range;
    }
  }
  return distances;
}

}  // namespace

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

bool Front::insert(FrontPoint point) {
  for (const FrontPoint& known : points_) {
    if (dominates(known.values, point.values)) return false;
    if (known.values == point.values && known.actions.size() <= point.actions.size()) return false;
  }
  std::erase_if(points_, [&](const FrontPoint& known) {
    return known.values == point.values || dominates(point.values, known.values);
  });
  const auto place = std::ranges::upper_bound(points_, point.values, {}, &FrontPoint::values);
  points_.insert(place, std::move(point));
  return true;
}

std::vector<FrontPoint> Front::spread(std::size_t most) const {
  std::vector<FrontPoint> left = points_;
  while (left.size() > most) {
    const std::vector<double> distances = crowding(left);
    left.erase(left.begin() + (std::ranges::min_element(distances) - distances.begin()));
  }
  return left;
}

}  // namespace ordo::search
