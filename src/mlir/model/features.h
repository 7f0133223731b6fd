// A schedule as so many numbers, whatever the kernel, for networks that want it so (tokens.h has all of it):
// the operation that is dealt with, loop by loop, what surrounds it, and what the whole costs so far.
// Sizes are logarithms to base 2.
#pragma once

#include <string>
#include <vector>

#include "mlir/model/schedule.h"

namespace ordo::model {

const std::vector<std::string>& featureNames();

// As many as featureNames(); loops beyond the eighth are left out.
std::vector<float> features(const Schedule& schedule);

}  // namespace ordo::model
