// What `ordo loop` shows, and the loop as it really runs.
#pragma once

#include <string>

#include "loop/service/settings.h"

namespace ordo::cli {

// Runs until `experiments` are over (0: for ever), nothing is worth a trial, or an interrupt. The canary is
// out of the traffic when it returns, and by its watchdog if it does not.
Status runLoop(const loop::Settings& settings, std::size_t experiments, bool quiet);

// A page: production, budget, the experiment that is open, and what is believed of candidates.
Result<std::string> statusPage(const loop::Settings& settings, const loop::Store& store, double now_s);

// All experiments, a line each.
Result<std::string> historyTable(const loop::Store& store);

// Of one experiment: its steps and its reward.
Result<std::string> verdictPage(const loop::Store& store, const std::string& id, double now_s);

}  // namespace ordo::cli
