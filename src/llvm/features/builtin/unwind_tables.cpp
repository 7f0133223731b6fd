// unwind_tables: of the functions with a body, how many get an entry in the unwind tables, and how many do
// not: int64.
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {"with", "without"};

void extract(const llvm::Module& module, std::string& out) {
  std::int64_t counts[std::size(kNames)] = {};
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) ++counts[function.needsUnwindTableEntry() ? 0 : 1];
  out.append(reinterpret_cast<const char*>(counts), sizeof(counts));
}

}  // namespace

extern constinit const FeatureInfo unwind_tables{
    .name = "unwind_tables",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::size(kNames),
    .summary = "functions with a body: how many have an entry in the unwind tables, and how many have none",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
