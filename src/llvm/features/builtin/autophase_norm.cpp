// autophase_norm: autophase as CompilerGym's AutophaseNormalizedFeatures gives it to policies: every
// count divided by the number of instructions (element TotalInsts) and limited to [0, 1]. Without an
// instruction there is nothing to divide by, and all elements are 0.
#include <algorithm>
#include <cstring>

#include "llvm/features/builtin/autophase.h"
#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

void extract(const llvm::Module& module, std::string& out) {
  const AutophaseCounts counts = autophaseCounts(module);
  std::array<std::int64_t, std::size(kAutophaseNames)> values;
  std::memcpy(values.data(), &counts, sizeof(counts));
  std::array<float, std::size(kAutophaseNames)> shares{};
  if (counts.TotalInsts > 0) {
    // A quotient of doubles rounded once, as NumPy computes it.
    const auto instructions = static_cast<double>(counts.TotalInsts);
    std::transform(values.begin(), values.end(), shares.begin(), [&](std::int64_t value) {
      return static_cast<float>(std::min(static_cast<double>(value) / instructions, 1.0));
    });
  }
  out.append(reinterpret_cast<const char*>(shares.data()), sizeof(shares));
}

}  // namespace

extern constinit const FeatureInfo autophase_norm{
    .name = "autophase_norm",
    .version = 1,
    .dtype = DType::kFloat32,
    .width = std::size(kAutophaseNames),
    .summary = "autophase divided by the number of instructions, limited to [0, 1]",
    .element_names = kAutophaseNames,
    .extract = extract,
};

}  // namespace ordo::features
