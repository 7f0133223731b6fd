// Trains an advisor of register eviction for size: one linear score for each live range that could go, and
// for leaving them, whose weights evolve (advice/evolve.h) by what whole modules become. What single
// evictions are worth is not searched: each changes most of what comes after it.
#pragma once

#include "campaigns/train_advisor.h"
#include "support/error.h"

namespace ordo::campaigns {

// Of the options `tries` means nothing here. Every ten generations, on modules of other packages: the best
// stays, with as much caution as it needs; one that does not pay there is never followed. kInvalidArgument
// for a program that nothing may be learned from, and where nothing is asked in any module.
Result<TrainedAdvisor> trainEviction(const AdvisorTraining& options);

}  // namespace ordo::campaigns
