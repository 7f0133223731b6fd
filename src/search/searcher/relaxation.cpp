#include "search/searcher/relaxation.h"

#include <algorithm>

namespace ordo::search {
namespace {

// The choice among `count` that a coordinate stands for, and the middle of what stands for a choice.
std::size_t choice(double coordinate, std::size_t count) {
  const double scaled = std::clamp(coordinate, 0.0, 1.0) * static_cast<double>(count);
  return std::min(static_cast<std::size_t>(scaled), count - 1);
}

double middle(std::size_t choice, std::size_t count) {
  return (static_cast<double>(choice) + 0.5) / static_cast<double>(count);
}

}  // namespace

Point Relaxation::randomPoint(Rng& rng) const {
  Point point(dimensions());
  for (double& coordinate : point) coordinate = rng.uniform();
  return point;
}

Point Relaxation::encode(const Sequence& sequence, Rng& rng) const {
  Point point = randomPoint(rng);
  point[0] = middle(sequence.size(), max_length_ + 1);
  for (std::size_t i = 0; i < sequence.size(); ++i) point[i + 1] = middle(sequence[i], actions_);
  return point;
}

Sequence Relaxation::decode(const Point& point) const {
  Sequence sequence(choice(point[0], max_length_ + 1));
  for (std::size_t i = 0; i < sequence.size(); ++i)
    sequence[i] = static_cast<env::ActionIndex>(choice(point[i + 1], actions_));
  return sequence;
}

}  // namespace ordo::search
