// inst_count_norm: inst_count as shares of the instructions of the module, as CompilerGym's
// InstCountNorm: element i + 1 of inst_count / max(element 0 of inst_count, 1).
#include <algorithm>

#include "llvm/features/builtin/inst_count.h"
#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

#define ORDO_NAME(opcode) std::string_view(#opcode "Density"),
constexpr std::string_view kNames[] = {"TotalBlocksDensity", "TotalFuncsDensity",
                                       ORDO_FROZEN_OPCODES(ORDO_NAME)};
#undef ORDO_NAME

using Densities = std::array<float, std::tuple_size_v<FrozenCounts> - 1>;
static_assert(std::size(kNames) == std::tuple_size_v<Densities>);

void extract(const llvm::Module& module, std::string& out) {
  const FrozenCounts counts = frozenCounts(module);
  // A quotient of doubles rounded once, as NumPy computes it.
  const double instructions = static_cast<double>(std::max<std::int64_t>(counts[0], 1));
  Densities densities;
  std::transform(counts.begin() + 1, counts.end(), densities.begin(), [&](std::int64_t count) {
    return static_cast<float>(static_cast<double>(count) / instructions);
  });
  out.append(reinterpret_cast<const char*>(densities.data()), sizeof(densities));
}

}  // namespace

extern constinit const FeatureInfo inst_count_norm{
    .name = "inst_count_norm",
    .version = 1,
    .dtype = DType::kFloat32,
    .width = std::tuple_size_v<Densities>,
    .summary = "CompilerGym's InstCountNorm: inst_count divided by the number of instructions",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
