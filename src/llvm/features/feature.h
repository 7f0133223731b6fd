// A feature is an observation of a module: numbers or bytes that depend on nothing but the IR, or, if
// it says so, on the machine.
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
#include "support/error.h"

namespace llvm {
class Module;
}

namespace ordo::features {

struct FeatureInfo {
  std::string_view name;
  int version;
  DType dtype;
  std::uint32_t width;  // elements; 0 if it depends on the module
  // Not 0: a matrix, row by row, with rows of this length. `width` is then 0 and the module decides how
  // many rows there are.
  std::uint32_t columns = 0;
  std::string_view summary;
  // Names of the elements, or empty. If not empty: `width` of them, or `columns` if it is a matrix.
  std::span<const std::string_view> element_names;
  // True if it describes the host: equal in all processes of a machine, not between machines.
  bool machine_dependent = false;
  // Loads what `extract` needs beside the module; null if that is nothing. Called before it in every
  // process, as often as anyone likes. kNotFound or kCorrupt for a data file that is not as it must be.
  Status (*prepare)() = nullptr;
  // Appends the elements to `out` as raw host-order bytes. Must not change the module, must give
  // the same bytes for the same IR on every machine and must be safe on any valid module.
  // REQUIRES: prepare() succeeded.
  void (*extract)(const llvm::Module& module, std::string& out);
};

// All features, by name.
std::span<const FeatureInfo* const> catalog();

// Null if there is none of that name.
const FeatureInfo* find(std::string_view name);

}  // namespace ordo::features
