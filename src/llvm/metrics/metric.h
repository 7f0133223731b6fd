// A metric is a number measured on a program state, lower is better. One file in builtin/ is one
// metric; the catalog is generated (docs/recipes/add-a-metric.md). Names are persistent API.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "llvm/ir/target.h"
#include "llvm/ir/text_layout.h"
#include "support/error.h"

namespace llvm {
class Module;
}

namespace ordo::metrics {

// An object made from the state, in memory.
struct Emission {
  ir::ObjectSizes sizes;
  std::uint64_t object_bytes = 0;                       // the whole file: headers, symbols, relocations too
  double cpu_ms = 0;                                    // processor time of code generation
  std::map<std::string, std::uint64_t> functions = {};  // bytes of code, by symbol (ir::functionBytes())
};

// What a metric may look at. Emission costs ten times what everything else does, so it happens on
// demand, and once per state.
struct MetricInput {
  const llvm::Module& module;
  double passes_cpu_ms = 0;  // processor time of the passes applied since reset
  std::function<Result<Emission>()> emission;
  std::function<Result<ir::TextSizes>()> text;  // of emission(), sooner if that will do
};

struct MetricInfo {
  std::string_view name;
  std::string_view unit;
  bool deterministic;  // the same state always gives the same value
  std::string_view summary;
  Result<double> (*measure)(const MetricInput& input);
};

// All metrics, by name.
std::span<const MetricInfo* const> catalog();

// Null if there is none of that name.
const MetricInfo* find(std::string_view name);

}  // namespace ordo::metrics
