// linkage: functions by who may link against them and who has them too: int64.
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {"declared", "external", "internal",
                                       "linkonce", "weak",     "available_externally"};

std::size_t column(const llvm::Function& function) {
  if (function.isDeclaration()) return 0;
  if (function.hasLocalLinkage()) return 2;
  if (function.hasLinkOnceLinkage()) return 3;
  if (function.hasWeakLinkage()) return 4;
  return function.hasAvailableExternallyLinkage() ? 5 : 1;
}

void extract(const llvm::Module& module, std::string& out) {
  std::int64_t counts[std::size(kNames)] = {};
  for (const llvm::Function& function : module)
    if (!function.isIntrinsic()) ++counts[column(function)];
  out.append(reinterpret_cast<const char*>(counts), sizeof(counts));
}

}  // namespace

extern constinit const FeatureInfo linkage{
    .name = "linkage",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::size(kNames),
    .summary =
        "functions by linkage: how many are declared, external, internal, linkonce, weak, elsewhere too",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
