#include "engine/objective.h"

#include <algorithm>

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
  if (objective == recipe::kRuntime) return "speed";
  const auto of_bytes = [](const env::Preference::Part& part) {
    return part.metric == "text_bytes" || part.metric == "object_bytes";
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
  const bool cheap = objective == "ir_instructions" || objective == "compile_ms";
  return {.metric = objective, .screen = cheap ? "" : "ir_instructions"};
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
    if (!preference.single() && part.metric == recipe::kRuntime) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: a run time is known only after many runs; for speed within a size, say --objective "
                  "runtime --limit text_bytes=+5%",
                  objective);
    }
    if (std::ranges::find(metrics, part.metric) == metrics.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("objective", part.metric, metrics));
  }
  return {};
}

Status checkTunable(const env::BackendInfo& info, const std::string& objective) {
  env::BackendInfo all = info;
  env::MetricInfo& time = all.metrics.emplace_back();
  time.name = recipe::kRuntime;
  time.deterministic = false;
  return checkObjective(all, objective);
}

}  // namespace ordo::engine
