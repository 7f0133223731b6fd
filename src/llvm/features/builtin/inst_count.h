// Instructions of a module by opcode: what inst_count, inst_count_native and inst_count_norm share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace llvm {
class Module;
}

// The opcodes of LLVM 10 in their order, which CompilerGym's InstCount published and models trained on
// it expect. Never edit: an opcode that came later is folded into one of these (inst_count.cpp).
// clang-format off: a table
#define ORDO_FROZEN_OPCODES(OPCODE)                                                                  \
  OPCODE(Ret) OPCODE(Br) OPCODE(Switch) OPCODE(IndirectBr) OPCODE(Invoke) OPCODE(Resume)             \
  OPCODE(Unreachable) OPCODE(CleanupRet) OPCODE(CatchRet) OPCODE(CatchSwitch) OPCODE(CallBr)         \
  OPCODE(FNeg)                                                                                       \
  OPCODE(Add) OPCODE(FAdd) OPCODE(Sub) OPCODE(FSub) OPCODE(Mul) OPCODE(FMul) OPCODE(UDiv)            \
  OPCODE(SDiv) OPCODE(FDiv) OPCODE(URem) OPCODE(SRem) OPCODE(FRem) OPCODE(Shl) OPCODE(LShr)          \
  OPCODE(AShr) OPCODE(And) OPCODE(Or) OPCODE(Xor)                                                    \
  OPCODE(Alloca) OPCODE(Load) OPCODE(Store) OPCODE(GetElementPtr) OPCODE(Fence)                      \
  OPCODE(AtomicCmpXchg) OPCODE(AtomicRMW)                                                            \
  OPCODE(Trunc) OPCODE(ZExt) OPCODE(SExt) OPCODE(FPToUI) OPCODE(FPToSI) OPCODE(UIToFP)               \
  OPCODE(SIToFP) OPCODE(FPTrunc) OPCODE(FPExt) OPCODE(PtrToInt) OPCODE(IntToPtr) OPCODE(BitCast)     \
  OPCODE(AddrSpaceCast)                                                                              \
  OPCODE(CleanupPad) OPCODE(CatchPad)                                                                \
  OPCODE(ICmp) OPCODE(FCmp) OPCODE(PHI) OPCODE(Call) OPCODE(Select) OPCODE(UserOp1) OPCODE(UserOp2)  \
  OPCODE(VAArg) OPCODE(ExtractElement) OPCODE(InsertElement) OPCODE(ShuffleVector)                   \
  OPCODE(ExtractValue) OPCODE(InsertValue) OPCODE(LandingPad) OPCODE(Freeze)
// clang-format on

namespace ordo::features {

// Every layout opens with TotalInsts, TotalBlocks and TotalFuncs (declarations included).
inline constexpr std::size_t kTotals = 3;

// The totals, then one count per opcode of the linked LLVM in the order of its Instruction.def.
inline constexpr std::size_t kNativeOpcodes = 68;
using NativeCounts = std::array<std::int64_t, kTotals + kNativeOpcodes>;

// Instructions are those of Module::getInstructionCount: no debug intrinsics, no pseudo probes.
NativeCounts nativeCounts(const llvm::Module& module);

// The totals, then one count per frozen opcode.
inline constexpr std::size_t kFrozenOpcodes = 67;
using FrozenCounts = std::array<std::int64_t, kTotals + kFrozenOpcodes>;

FrozenCounts frozenCounts(const llvm::Module& module);

// The place in ORDO_FROZEN_OPCODES of an opcode of the linked LLVM.
std::size_t frozenOpcode(unsigned opcode);

}  // namespace ordo::features
