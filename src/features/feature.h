// A feature is an observation of a module: numbers or bytes that depend on nothing but the IR.
// One file in builtin/ is one feature; the catalog is generated (docs/recipes/add-an-observation.md).
//
// Names and versions are persistent API: checkpoints and logs refer to them. Change what a number
// means and the version goes up; never reuse a name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/dtype.h"

namespace llvm {
class Module;
}

namespace ordo::features {

struct FeatureInfo {
  std::string_view name;
  int version;
  DType dtype;
  std::uint32_t width;  // elements; 0 if it depends on the module
  std::string_view summary;
  // Names of the elements, or empty. If not empty: `width` of them.
  std::span<const std::string_view> element_names;
  // Appends the elements to `out` as raw host-order bytes. Must not change the module, must give
  // the same bytes for the same IR on every machine and must be safe on any valid module.
  void (*extract)(const llvm::Module& module, std::string& out);
};

// All features, by name.
std::span<const FeatureInfo* const> catalog();

// Null if there is none of that name.
const FeatureInfo* find(std::string_view name);

}  // namespace ordo::features
