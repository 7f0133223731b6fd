// func_properties: what LLVM's FunctionPropertiesAnalysis knows of each function with a body, in the order of
// the module: int64 [functions, 49]. The first nine columns are those that LLVM's inlining advisor learns
// from, the rest its "detailed" ones. Blocks that the entry does not reach do not count. The columns are
// named as `opt-22 -passes='print<func-properties>' -enable-detailed-function-properties` names them, in its
// order.
#include <llvm/Analysis/FunctionPropertiesAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>

#include <array>

#include "llvm/features/feature.h"

namespace llvm {
// Defined with the analysis, declared in no header.
extern cl::opt<bool> EnableDetailedFunctionProperties;
}  // namespace llvm

namespace ordo::features {
namespace {

// clang-format off: a table
#define ORDO_PROPERTIES(NAME)                                                                        \
  NAME(BasicBlockCount) NAME(BlocksReachedFromConditionalInstruction) NAME(Uses)                     \
  NAME(DirectCallsToDefinedFunctions) NAME(LoadInstCount) NAME(StoreInstCount) NAME(MaxLoopDepth)    \
  NAME(TopLevelLoopCount) NAME(TotalInstructionCount)                                                \
  NAME(BasicBlocksWithSingleSuccessor) NAME(BasicBlocksWithTwoSuccessors)                            \
  NAME(BasicBlocksWithMoreThanTwoSuccessors) NAME(BasicBlocksWithSinglePredecessor)                  \
  NAME(BasicBlocksWithTwoPredecessors) NAME(BasicBlocksWithMoreThanTwoPredecessors)                  \
  NAME(BigBasicBlocks) NAME(MediumBasicBlocks) NAME(SmallBasicBlocks)                                \
  NAME(CastInstructionCount) NAME(FloatingPointInstructionCount) NAME(IntegerInstructionCount)       \
  NAME(ConstantIntOperandCount) NAME(ConstantFPOperandCount) NAME(ConstantOperandCount)              \
  NAME(InstructionOperandCount) NAME(BasicBlockOperandCount) NAME(GlobalValueOperandCount)           \
  NAME(InlineAsmOperandCount) NAME(ArgumentOperandCount) NAME(UnknownOperandCount)                   \
  NAME(CriticalEdgeCount) NAME(ControlFlowEdgeCount) NAME(UnconditionalBranchCount)                  \
  NAME(ConditionalBranchCount) NAME(BranchInstructionCount) NAME(BranchSuccessorCount)               \
  NAME(SwitchInstructionCount) NAME(SwitchSuccessorCount)                                            \
  NAME(IntrinsicCount) NAME(DirectCallCount) NAME(IndirectCallCount) NAME(CallReturnsIntegerCount)   \
  NAME(CallReturnsFloatCount) NAME(CallReturnsPointerCount) NAME(CallReturnsVectorIntCount)          \
  NAME(CallReturnsVectorFloatCount) NAME(CallReturnsVectorPointerCount)                              \
  NAME(CallWithManyArgumentsCount) NAME(CallWithPointerArgumentCount)
// clang-format on

constexpr std::string_view kNames[] = {
#define ORDO_NAME(name) #name,
    ORDO_PROPERTIES(ORDO_NAME)
#undef ORDO_NAME
};
static_assert(std::size(kNames) == 49);

// The detailed ones are a flag of the process. Nothing but this analysis and its printer looks at it.
Status prepare() {
  static const bool enabled = [] {
    llvm::EnableDetailedFunctionProperties = true;
    return true;
  }();
  ORDO_CHECK(enabled, "a constant");
  return {};
}

void extract(const llvm::Module& module, std::string& out) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // The tree does not change the function; it only has no constructor that says so.
    const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));
    const llvm::LoopInfo loops(dominators);
    const auto properties =
        llvm::FunctionPropertiesInfo::getFunctionPropertiesInfo(function, dominators, loops, nullptr);
    const std::array<std::int64_t, std::size(kNames)> row = {
#define ORDO_VALUE(name) properties.name,
        ORDO_PROPERTIES(ORDO_VALUE)
#undef ORDO_VALUE
    };
    out.append(reinterpret_cast<const char*>(row.data()), sizeof(row));
  }
}

}  // namespace

extern constinit const FeatureInfo func_properties{
    .name = "func_properties",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 0,
    .columns = std::size(kNames),
    .summary = "LLVM's FunctionPropertiesAnalysis, detailed, of each function with a body, in their order",
    .element_names = kNames,
    .prepare = prepare,
    .extract = extract,
};

}  // namespace ordo::features
