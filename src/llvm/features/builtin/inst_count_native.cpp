// inst_count_native: instructions by opcode, with every opcode that the linked LLVM has.
#include <llvm/IR/Module.h>

#include "llvm/features/builtin/inst_count.h"
#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {
    "TotalInstsCount",
    "TotalBlocksCount",
    "TotalFuncsCount",
#define HANDLE_INST(number, opcode, Class) #opcode "Count",  // NOLINT(readability-identifier-naming)
#include <llvm/IR/Instruction.def>
};
static_assert(std::size(kNames) == std::tuple_size_v<NativeCounts>,
              "this LLVM has other opcodes: set kNativeOpcodes and raise the version below");

void extract(const llvm::Module& module, std::string& out) {
  const NativeCounts counts = nativeCounts(module);
  out.append(reinterpret_cast<const char*>(counts.data()), sizeof(counts));
}

}  // namespace

NativeCounts nativeCounts(const llvm::Module& module) {
  NativeCounts counts{};
  std::int64_t& instructions = counts[0];
  std::int64_t& blocks = counts[1];
  std::int64_t& functions = counts[2];
  for (const llvm::Function& function : module) {
    ++functions;
    for (const llvm::BasicBlock& block : function) {
      ++blocks;
      for (const llvm::Instruction& instruction : block.instructionsWithoutDebug()) {
        ++instructions;
        ++counts[kTotals + instruction.getOpcode() - 1];  // the first opcode is 1
      }
    }
  }
  return counts;
}

extern constinit const FeatureInfo inst_count_native{
    .name = "inst_count_native",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::tuple_size_v<NativeCounts>,
    .summary = "instructions, blocks, functions, instructions by opcode of LLVM 22",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
