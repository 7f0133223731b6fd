// loads: how a module reads memory.
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {"loads", "volatile_loads"};

void extract(const llvm::Module& module, std::string& out) {
  std::int64_t counts[std::size(kNames)] = {};
  for (const llvm::Function& function : module) {
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load == nullptr) continue;
        ++counts[0];
        counts[1] += load->isVolatile();
      }
    }
  }
  out.append(reinterpret_cast<const char*>(counts), sizeof(counts));
}

}  // namespace

extern constinit const FeatureInfo loads{
    .name = "loads",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::size(kNames),
    .summary = "loads from memory, and the volatile ones among them",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
