// autophase: the 56 numbers of AutoPhase (Haj-Ali et al., MLSys 2020, https://arxiv.org/abs/2003.00671)
// as CompilerGym 0.2.5 counts them, with its names in its order. Sums over the whole module.
//
// Some names promise something else than what has always been counted, and trained models rely on
// what is counted: TotalFuncs includes declarations, BlockMid is 15 to 500 instructions, testUnary
// includes allocas and loads, and TotalMemInst includes calls.
//
// Where the IR itself has changed since LLVM 10, numbers moved with it: bit casts and address
// computations disappear with opaque pointers, and lifetime markers lost their i64 size.
#include "llvm/features/builtin/autophase.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

using OpcodeCounts = std::array<std::int64_t, llvm::Instruction::OtherOpsEnd>;

// Only scalar integers: a vector of ones or a constant expression is not a ConstantInt.
void countConstant(const llvm::Value* value, AutophaseCounts& counts) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (constant == nullptr) return;
  counts.const32Bit += constant->getBitWidth() == 32;
  counts.const64Bit += constant->getBitWidth() == 64;
  counts.numConstOnes += constant->isOne();
  counts.numConstZeroes += constant->isZero();
}

void countInstruction(const llvm::Instruction& instruction, AutophaseCounts& counts) {
  for (const llvm::Use& operand : instruction.operands()) countConstant(operand, counts);
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    counts.UncondBranches += branch->isUnconditional();
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    // Case values were operands in LLVM 10 and are not any more.
    for (const auto& label : choice->cases()) countConstant(label.getCaseValue(), counts);
  } else if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    const llvm::Function* callee = call->getCalledFunction();
    counts.returnInt += callee != nullptr && callee->getReturnType()->isIntegerTy();
  } else if (llvm::isa<llvm::BinaryOperator>(instruction)) {
    counts.binaryConstArg += llvm::isa<llvm::Constant>(instruction.getOperand(0)) ||
                             llvm::isa<llvm::Constant>(instruction.getOperand(1));
  }
  counts.testUnary += llvm::isa<llvm::UnaryInstruction>(instruction);
}

// A block that is reached twice from the same switch has two predecessors: edges are counted.
void countEdges(const llvm::BasicBlock& block, AutophaseCounts& counts) {
  const llvm::Instruction* terminator = block.getTerminator();
  const unsigned successors = terminator->getNumSuccessors();
  const unsigned predecessors = llvm::pred_size(&block);
  counts.NumEdges += successors;
  for (unsigned i = 0; i < successors; ++i) counts.CriticalCount += llvm::isCriticalEdge(terminator, i);

  counts.onePred += predecessors == 1;
  counts.twoPred += predecessors == 2;
  counts.morePreds += predecessors > 2;
  counts.oneSuccessor += successors == 1;
  counts.twoSuccessor += successors == 2;
  counts.onePredOneSuc += predecessors == 1 && successors == 1;
  counts.onePredTwoSuc += predecessors == 1 && successors == 2;
  counts.twoPredOneSuc += predecessors == 2 && successors == 1;
  counts.twoEach += predecessors == 2 && successors == 2;
}

void countBlock(const llvm::BasicBlock& block, OpcodeCounts& opcodes, AutophaseCounts& counts) {
  countEdges(block, counts);

  std::int64_t phis = 0;
  std::int64_t incoming = 0;
  for (const llvm::PHINode& phi : block.phis()) {
    ++phis;
    incoming += phi.getNumIncomingValues();
  }
  counts.BBNoPhi += phis == 0;
  counts.BB03Phi += phis >= 1 && phis <= 3;
  counts.BBHiPhi += phis > 3;
  counts.BeginPhi += phis > 0;  // phis come first in their block
  counts.ArgsPhi += incoming;
  counts.BBNumArgsLo += incoming >= 1 && incoming <= 5;
  counts.BBNumArgsHi += incoming > 5;

  std::int64_t instructions = 0;
  for (const llvm::Instruction& instruction : block.instructionsWithoutDebug()) {
    ++instructions;
    ++opcodes[instruction.getOpcode()];
    countInstruction(instruction, counts);
  }
  counts.TotalInsts += instructions;
  counts.BlockLow += instructions < 15;
  counts.BlockMid += instructions >= 15 && instructions <= 500;
}

void extract(const llvm::Module& module, std::string& out) {
  const AutophaseCounts counts = autophaseCounts(module);
  out.append(reinterpret_cast<const char*>(&counts), sizeof(counts));
}

}  // namespace

AutophaseCounts autophaseCounts(const llvm::Module& module) {
  using llvm::Instruction;
  AutophaseCounts counts;
  OpcodeCounts opcodes{};
  for (const llvm::Function& function : module) {
    ++counts.TotalFuncs;
    counts.TotalBlocks += static_cast<std::int64_t>(function.size());
    for (const llvm::BasicBlock& block : function) countBlock(block, opcodes, counts);
  }
  counts.BranchCount = opcodes[Instruction::Br];
  counts.NumAShrInst = opcodes[Instruction::AShr];
  counts.NumAddInst = opcodes[Instruction::Add];
  counts.NumAllocaInst = opcodes[Instruction::Alloca];
  counts.NumAndInst = opcodes[Instruction::And];
  counts.NumBitCastInst = opcodes[Instruction::BitCast];
  counts.NumBrInst = opcodes[Instruction::Br];
  counts.NumCallInst = opcodes[Instruction::Call];
  counts.NumGetElementPtrInst = opcodes[Instruction::GetElementPtr];
  counts.NumICmpInst = opcodes[Instruction::ICmp];
  counts.NumLShrInst = opcodes[Instruction::LShr];
  counts.NumLoadInst = opcodes[Instruction::Load];
  counts.NumMulInst = opcodes[Instruction::Mul];
  counts.NumOrInst = opcodes[Instruction::Or];
  counts.NumPHIInst = opcodes[Instruction::PHI];
  counts.NumRetInst = opcodes[Instruction::Ret];
  counts.NumSExtInst = opcodes[Instruction::SExt];
  counts.NumSelectInst = opcodes[Instruction::Select];
  counts.NumShlInst = opcodes[Instruction::Shl];
  counts.NumStoreInst = opcodes[Instruction::Store];
  counts.NumSubInst = opcodes[Instruction::Sub];
  counts.NumTruncInst = opcodes[Instruction::Trunc];
  counts.NumXorInst = opcodes[Instruction::Xor];
  counts.NumZExtInst = opcodes[Instruction::ZExt];
  counts.TotalMemInst = opcodes[Instruction::Alloca] + opcodes[Instruction::Load] +
                        opcodes[Instruction::Store] + opcodes[Instruction::GetElementPtr] +
                        opcodes[Instruction::Call] + opcodes[Instruction::Invoke];
  return counts;
}

extern constinit const FeatureInfo autophase{
    .name = "autophase",
    .version = 1,
    .dtype = DType::kInt64,
    .width = std::size(kAutophaseNames),
    .summary = "AutoPhase's 56 counts of instructions, constants, phis and edges, as in CompilerGym",
    .element_names = kAutophaseNames,
    .extract = extract,
};

}  // namespace ordo::features
