#include "llvm/metrics/metric.h"

#include "support/catalog.h"

namespace ordo::metrics {

using CatalogEntry = MetricInfo;
#include "llvm/metrics/catalog.inc"

const MetricInfo* find(std::string_view name) { return findByName(catalog(), name); }

}  // namespace ordo::metrics
