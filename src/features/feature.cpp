#include "features/feature.h"

namespace ordo::features {

#define ORDO_ENTRY(stem) extern const FeatureInfo stem;
#include "features/builtin.def"
#undef ORDO_ENTRY

std::span<const FeatureInfo* const> catalog() {
  static constexpr const FeatureInfo* kFeatures[] = {
#define ORDO_ENTRY(stem) &stem,
#include "features/builtin.def"
#undef ORDO_ENTRY
  };
  return kFeatures;
}

const FeatureInfo* find(std::string_view name) {
  for (const FeatureInfo* feature : catalog()) {
    if (feature->name == name) return feature;
  }
  return nullptr;
}

}  // namespace ordo::features
