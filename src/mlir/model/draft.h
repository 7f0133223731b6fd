// A whole schedule as what is done to each operation, so that one part can be changed while the rest stays:
// what searches without a compiler vary.
#pragma once

#include <memory>
#include <vector>

#include "mlir/model/schedule.h"
#include "support/rng.h"

namespace ordo::model {

// For each operation, from the last, its steps without the stop behind them.
using Draft = std::vector<std::vector<Step>>;

// Of all its steps; operations that it does not get to are left alone. `fair` becomes interchanges.
Draft draftOf(const Schedule& schedule);

// All operations dealt with; what is not possible where it stands is left out.
Schedule scheduleOf(const std::shared_ptr<const Kernel>& kernel, const Draft& draft);

// By chance, but as people would: some tiles or none, whose first may fuse, and registers within. Nothing is
// unrolled: LLVM takes seconds for it, and it pays rarely.
Draft randomDraft(const std::shared_ptr<const Kernel>& kernel, Rng& rng);

// With one operation dealt with anew, or one of its steps changed, dropped or added. REQUIRES: a draft of
// that kernel.
Draft varied(const std::shared_ptr<const Kernel>& kernel, const Draft& draft, Rng& rng);

// What is done to each operation by chance from one or the other. REQUIRES: drafts of one kernel.
Draft crossed(const Draft& one, const Draft& other, Rng& rng);

}  // namespace ordo::model
