// Where a pass ends a worker: which pass, and on what.
#pragma once

#include <string_view>

namespace ordo::session {

// From now on, in this process and those that are forked from it: a signal by which the compiler dies has
// `tell` hear which pass ran, and then ends the process as it would have. `tell` is async-signal-safe.
void tellPassAtDeath(void (*tell)(std::string_view pass));

}  // namespace ordo::session
