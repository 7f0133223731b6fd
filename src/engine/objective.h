// What a search is for: which objectives there are, what it chooses from, and how it measures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/input.h"
#include "env/session.h"
#include "search/evaluation/objective.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::engine {

// Of one metric, or several (env/preference.h). kInvalidArgument that suggests the nearest metric if one is
// none of the backend's, or if one of several is another each time.
Status checkObjective(const env::BackendInfo& info, const std::string& objective);
// The same where the metrics are these.
Status checkObjective(const std::vector<std::string>& metrics, const std::string& objective);
// The same, for what tune() takes: metrics of experiments too.
Status checkTunable(const env::BackendInfo& info, const std::string& objective);

// Whether the backend has a metric of that name.
bool measures(const env::BackendInfo& info, std::string_view metric);

// The space to search for `objective` when nobody says: choices of the code generator change bytes and no IR.
std::string usualSpace(const std::string& objective);

// What a search for `input` chooses from: the space's actions, without unsafe ones unless allowed, with
// the baseline among them as it was captured for this program's flags. `baseline` becomes its index.
std::vector<env::Action> candidateActions(const Input& input, const spaces::Space& space, bool allow_unsafe,
                                          env::ActionIndex& baseline);

// What a run of a kernel of MLIR takes.
inline constexpr const char* kKernelTime = "time_ns";

// How a search minimises `objective`: what is slow to measure is screened, by the number of instructions or
// what a model says.
search::Objective objectiveFor(const std::string& objective);

}  // namespace ordo::engine
