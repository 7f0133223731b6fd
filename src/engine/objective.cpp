#include "engine/objective.h"

#include <algorithm>

#include "env/metric.h"
#include "env/preference.h"
#include "recipe/recipe.h"
#include "support/text.h"

namespace ordo::engine {

std::vector<env::Action> candidateActions(const Input& input, const spaces::Space& space, bool allow_unsafe,
                                          env::ActionIndex& baseline) {
  std::vector<env::Action> actions;
  const env::Action own = input.toolchain->baseline(input);
  for (env::ActionIndex i = 0; i < space.actions.size(); ++i) {
    if (!allow_unsafe && std::find(space.unsafe.begin(), space.unsafe.end(), i) != space.unsafe.end())
      continue;
    actions.push_back(space.actions[i].name == own.name ? own : space.actions[i]);
  }
  const auto found =
      std::find_if(actions.begin(), actions.end(), [&](const env::Action& a) { return a.name == own.name; });
  baseline = static_cast<env::ActionIndex>(found - actions.begin());
  if (found == actions.end()) actions.push_back(own);
  return actions;
}

std::string usualSpace(const std::string& objective) {
  if (env::isExperiment(objective)) return "speed";
  const auto of_bytes = [](const env::Preference::Part& part) {
    return part.metric == env::kTextBytes || part.metric == env::kObjectBytes;
  };
  const auto preference = env::parsePreference(objective);
  return preference && std::ranges::any_of(preference->parts, of_bytes) ? "text" : "size";
}

bool measures(const env::BackendInfo& info, std::string_view metric) {
  return std::ranges::find(info.metrics, metric, &env::MetricInfo::name) != info.metrics.end();
}

search::Objective objectiveFor(const std::string& objective) {
  // The model of schedules tells good from bad, and little more.
  if (objective == kKernelTime) return {.metric = objective, .screen = "cost", .screen_margin = 0.5};
  const bool cheap = objective == env::kIrInstructions || objective == env::kCompileMs;
  return {.metric = objective, .screen = cheap ? "" : env::kIrInstructions};
}

Status checkObjective(const env::BackendInfo& info, const std::string& objective) {
  std::vector<std::string> names;
  const bool single = objective.find('=') == std::string::npos;
  for (const env::MetricInfo& metric : info.metrics) {
    if (single || metric.deterministic) names.push_back(metric.name);
  }
  return checkObjective(names, objective);
}

Status checkObjective(const std::vector<std::string>& metrics, const std::string& objective) {
  ORDO_TRY_ASSIGN(const env::Preference preference, env::parsePreference(objective));
  for (const env::Preference::Part& part : preference.parts) {
    if (!preference.single() && env::isExperiment(part.metric)) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: a run time is known only after many runs; for speed within a size, say --objective "
                  "{} --limit {}=+5%",
                  objective, part.metric, env::kTextBytes);
    }
    if (std::ranges::find(metrics, part.metric) == metrics.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("objective", part.metric, metrics));
  }
  return {};
}

Status checkTunable(const env::BackendInfo& info, const std::string& objective) {
  env::BackendInfo all = info;
  for (const env::ExperimentInfo& experiment : env::experiments())
    all.metrics.push_back({std::string(experiment.name), std::string(experiment.unit), false, ""});
  return checkObjective(all, objective);
}

}  // namespace ordo::engine
