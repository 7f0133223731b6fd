#include "env/metric.h"

#include <algorithm>

namespace ordo::env {

std::span<const ExperimentInfo> experiments() {
  static constexpr ExperimentInfo kAll[] = {{kRuntime, "s", "measured run time"}};
  return kAll;
}

bool isExperiment(std::string_view metric) {
  return std::ranges::find(experiments(), metric, &ExperimentInfo::name) != experiments().end();
}

}  // namespace ordo::env
