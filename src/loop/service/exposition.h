// What a loop tells the world: metrics of its own for Prometheus, and the verdict on an experiment as JSON
// for those who steer deployments by it (docs/loop.md). Both only read the store.
#pragma once

#include "loop/service/settings.h"
#include "support/json.h"

namespace ordo::loop {

// The text format of Prometheus, version 0.0.4; names by its conventions: base units, counters that end in
// _total.
Result<std::string> metricsText(const Settings& settings, const Store& store, double now_s);

// Of the experiment of that id, or of the newest if `id` is empty: who it is, its state, outcome and verdict
// ("pending" while it is open), why, and the reward if one is known. kNotFound if there is none.
Result<Json> verdictOn(const Settings& settings, const Store& store, const std::string& id);

}  // namespace ordo::loop
