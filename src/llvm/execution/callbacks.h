// What compiled code calls: the checks of watched modules, and functions of other modules.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ordo::execution {

// By name. All need a Machine that runs.
std::vector<std::pair<std::string, void*>> callbacks();

}  // namespace ordo::execution
