// Runs ordo-advise on many modules, in processes side by side.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::campaigns {

// The files of bitcode under `names`: modules and folders, or programs of a dataset. No two the same.
// kInvalidArgument if there is something among them that nothing may be learned from.
Result<std::vector<std::string>> modulesToLearnFrom(const std::vector<std::string>& names);

// `ordo-advise WORDS… MODULE…` on all of `modules`, a few at a time: `line` is given what it says of each, in
// no order, by one thread at a time; false stops. kUnavailable if the program is not there.
Status eachModule(const std::vector<std::string>& words, const std::vector<std::string>& modules,
                  unsigned jobs, const std::function<bool(std::string_view line)>& line);

}  // namespace ordo::campaigns
