// Where a loop's figures come from, as loop.toml says.
#pragma once

#include <memory>

#include "loop/controller/world.h"
#include "loop/service/balancer.h"
#include "loop/service/settings.h"

namespace ordo::loop {

// Prometheus, or the balancer's log, which has to be there; and what comes of comparing answers, for which a
// thread is started, if the settings want that. `balancer` has to outlive it.
Result<std::unique_ptr<Metrics>> openMetrics(const Settings& settings, const Balancer& balancer);

}  // namespace ordo::loop
