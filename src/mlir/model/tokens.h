// A schedule as numbers, for networks: one row for each loop and each dimension of a tensor, so that kernels
// may have any number of either. What the columns are is said beside each function; all are whole numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mlir/model/schedule.h"

namespace ordo::model {

using Rows = std::vector<std::int64_t>;  // one behind the other

const std::vector<std::string>& loopColumns();
Rows loopTokens(const Schedule& schedule);

// Dimension by dimension of all that is read and written.
const std::vector<std::string>& accessColumns();
Rows accessTokens(const Schedule& schedule);

// The steps so far: type and numbers.
const std::vector<std::string>& stepColumns();
Rows stepTokens(const Schedule& schedule);

}  // namespace ordo::model
