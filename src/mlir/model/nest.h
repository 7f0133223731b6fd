// A schedule of one operation as a loop nest: from the outside the loops that steps put around the operation,
// those that go through what is left of them, and what one turn of the innermost computes.
#pragma once

#include <vector>

#include "mlir/model/schedule.h"
#include "support/json.h"

namespace ordo::model {

struct NestLoop {
  std::size_t loop = 0;
  double turns = 1;
};

struct Nest {
  std::vector<NestLoop> loops;     // from the outside
  std::size_t cut = 0;             // how many of them steps have made
  std::vector<std::int64_t> tile;  // of each loop, what one turn of the innermost computes
};

// REQUIRES: there is an operation of that number.
Nest nestOf(const Schedule& schedule, std::size_t number);

// How many elements of a tensor such a tile touches, at most all; and their bytes.
double elements(const Access& access, const std::vector<std::int64_t>& tile);
double bytes(const Access& access, const std::vector<std::int64_t>& tile);

// Whether the loop's counter moves through the tensor.
bool moves(const Access& access, std::size_t loop);

// The tiles of all operations, in order: {"operation", "extents", "levels"}, the levels from the outside.
// The first is all that is computed; each other is what one turn of a loop computes: "loop", "turns", "step"
// (whether a step made the loop), "tile" (of each loop of the operation) and "bytes" that it touches of each
// input and at last of the output.
Json tilesOf(const Schedule& schedule);

}  // namespace ordo::model
