// Sequences as points of the unit cube, for methods that move through a continuous space. The first
// coordinate is the length, the others are the actions at their positions; those behind the end of a
// sequence keep their values and count again when it grows.
//
// Source: the floor rounding that OpenTuner and Nevergrad use for unordered choices.
#pragma once

#include "search/searcher/context.h"

namespace ordo::search {

using Point = std::vector<double>;

class Relaxation {
 public:
  explicit Relaxation(const SearchContext& context)
      : actions_(context.actions().size()), max_length_(context.maxLength()) {}

  std::size_t dimensions() const { return max_length_ + 1; }

  // Uniform in the cube.
  Point randomPoint(Rng& rng) const;

  // A point that decodes to `sequence`; what `sequence` does not decide is random.
  // REQUIRES: it is not longer than maxLength().
  Point encode(const Sequence& sequence, Rng& rng) const;

  // Coordinates outside the cube count as its border.
  Sequence decode(const Point& point) const;

 private:
  std::size_t actions_;
  std::size_t max_length_;
};

}  // namespace ordo::search
