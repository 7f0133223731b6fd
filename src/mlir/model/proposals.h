// What somebody who knows processors would try first on a kernel: registers filled as the model of costs
// likes best, alone and inside of tiles that keep what is multiplied in the second cache, and what is
// computed afterwards fused with what it reads. Good to begin a search with.
#pragma once

#include <memory>
#include <vector>

#include "mlir/model/schedule.h"

namespace ordo::model {

// Whole schedules, the most promising first, no two the same; at most so many. With several threads loops are
// dealt out to them where that is worth it.
std::vector<Schedule> proposals(const std::shared_ptr<const Kernel>& kernel, std::size_t most,
                                unsigned threads = 1);

}  // namespace ordo::model
