// inst_count: instructions by opcode in the layout of CompilerGym's InstCount, frozen at LLVM 10.
#include "llvm/features/builtin/inst_count.h"

#include <llvm/IR/Instruction.h>

#include <algorithm>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

#define ORDO_NAME(opcode) std::string_view(#opcode "Count"),
constexpr std::string_view kNames[] = {"TotalInstsCount", "TotalBlocksCount", "TotalFuncsCount",
                                       ORDO_FROZEN_OPCODES(ORDO_NAME)};
#undef ORDO_NAME
static_assert(std::size(kNames) == std::tuple_size_v<FrozenCounts>);

// The place of each opcode of the linked LLVM in the frozen layout. Opcode numbers move between
// releases of LLVM, so nothing but this table may depend on them.
constexpr auto kPlaces = [] {
  std::array<std::size_t, kNativeOpcodes + 1> places{};  // the first opcode is 1
  std::size_t place = kTotals;
#define ORDO_PLACE(opcode) places[llvm::Instruction::opcode] = place++;
  ORDO_FROZEN_OPCODES(ORDO_PLACE)
#undef ORDO_PLACE
  // New in LLVM 22; what it stands for used to be written ptrtoint.
  places[llvm::Instruction::PtrToAddr] = places[llvm::Instruction::PtrToInt];
  return places;
}();
static_assert(std::count(kPlaces.begin() + 1, kPlaces.end(), 0) == 0,
              "this LLVM has a new opcode: fold it into the frozen one that stood for it");

void extract(const llvm::Module& module, std::string& out) {
  const FrozenCounts counts = frozenCounts(module);
  out.append(reinterpret_cast<const char*>(counts.data()), sizeof(counts));
}

}  // namespace

FrozenCounts frozenCounts(const llvm::Module& module) {
  const NativeCounts native = nativeCounts(module);
  FrozenCounts frozen{};
  std::copy_n(native.begin(), kTotals, frozen.begin());
  for (std::size_t opcode = 1; opcode <= kNativeOpcodes; ++opcode) {
    frozen[kPlaces[opcode]] += native[kTotals + opcode - 1];
  }
  return frozen;
}

std::size_t frozenOpcode(unsigned opcode) { return kPlaces[opcode] - kTotals; }

extern constinit const FeatureInfo inst_count{
    .name = "inst_count",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::tuple_size_v<FrozenCounts>,
    .summary = "CompilerGym's InstCount: instructions, blocks, functions, instructions by opcode of LLVM 10",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
