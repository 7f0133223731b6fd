// What is done to one operation of a schedule as so many numbers, for networks that say how long it takes:
// what is computed, the registers, what is at the edges, how memory is walked through, and how much of it has
// to come into each cache. Sizes are logarithms to base 2, of all numbers an eighth, so that they are
// about 1.
#pragma once

#include <string>
#include <vector>

#include "mlir/model/schedule.h"

namespace ordo::model {

const std::vector<std::string>& operationFeatureNames();

// As many as there are names. REQUIRES: there is an operation of that number.
std::vector<float> operationFeatures(const Schedule& schedule, std::size_t operation);

}  // namespace ordo::model
