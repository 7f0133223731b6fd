#include "llvm/features/feature.h"

#include "support/catalog.h"

namespace ordo::features {

using CatalogEntry = FeatureInfo;
#include "llvm/features/catalog.inc"

const FeatureInfo* find(std::string_view name) { return findByName(catalog(), name); }

}  // namespace ordo::features
