#include "running/observation.h"

#include "support/catalog.h"

namespace ordo::running {

using CatalogEntry = RunObservationInfo;
#include "running/catalog.inc"

const RunObservationInfo* find(std::string_view name) { return findByName(catalog(), name); }

env::BackendInfo withRunObservations(env::BackendInfo info) {
  for (const RunObservationInfo* one : catalog()) {
    env::ObservationInfo& observation = info.observations.emplace_back();
    observation.name = one->name;
    observation.version = one->version;
    observation.dtype = DType::kInt64;
    observation.width = static_cast<std::uint32_t>(one->element_names.size());
    observation.summary = one->summary;
    observation.machine_dependent = true;
    observation.element_names.assign(one->element_names.begin(), one->element_names.end());
  }
  return info;
}

}  // namespace ordo::running
