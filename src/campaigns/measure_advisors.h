// What advisors do to whole modules, for who trains them.
#pragma once

#include <string>
#include <vector>

#include "campaigns/train_advisor.h"
#include "support/error.h"

namespace ordo::campaigns {

// The files to learn from, or to choose by. Errors as modulesToLearnFrom().
Result<std::vector<std::string>> modulesFor(const AdvisorTraining& options, bool held_out);

// Measures advisors, all of one decision, on modules: one entry of `totals` for each of the files `weights`.
// They are written to options.run as try-*.safetensors. False if it was stopped. `optimised`: nothing but
// code is to be made of the modules.
Result<bool> measureAdvisors(const AdvisorTraining& options, const std::vector<std::string>& weights,
                             const std::vector<std::string>& modules, std::vector<AdvisedTotals>& totals,
                             bool optimised = false);

}  // namespace ordo::campaigns
