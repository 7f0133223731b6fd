#include "rewards/metric.h"

namespace ordo::rewards {

#define ORDO_ENTRY(stem) extern const MetricInfo stem;
#include "rewards/builtin.def"
#undef ORDO_ENTRY

std::span<const MetricInfo* const> catalog() {
  static constexpr const MetricInfo* kMetrics[] = {
#define ORDO_ENTRY(stem) &stem,
#include "rewards/builtin.def"
#undef ORDO_ENTRY
  };
  return kMetrics;
}

const MetricInfo* find(std::string_view name) {
  for (const MetricInfo* metric : catalog()) {
    if (metric->name == name) return metric;
  }
  return nullptr;
}

}  // namespace ordo::rewards
