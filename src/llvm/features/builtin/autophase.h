// The layout that autophase and autophase_norm share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace llvm {
class Module;
}

namespace ordo::features {

// clang-format off: a table
#define ORDO_AUTOPHASE(NAME)                                                                         \
  NAME(BBNumArgsHi) NAME(BBNumArgsLo)                                                                \
  NAME(onePred) NAME(onePredOneSuc) NAME(onePredTwoSuc) NAME(oneSuccessor)                           \
  NAME(twoPred) NAME(twoPredOneSuc) NAME(twoEach) NAME(twoSuccessor) NAME(morePreds)                 \
  NAME(BB03Phi) NAME(BBHiPhi) NAME(BBNoPhi) NAME(BeginPhi)                                           \
  NAME(BranchCount) NAME(returnInt) NAME(CriticalCount) NAME(NumEdges)                               \
  NAME(const32Bit) NAME(const64Bit) NAME(numConstZeroes) NAME(numConstOnes)                          \
  NAME(UncondBranches) NAME(binaryConstArg)                                                          \
  NAME(NumAShrInst) NAME(NumAddInst) NAME(NumAllocaInst) NAME(NumAndInst)                            \
  NAME(BlockMid) NAME(BlockLow)                                                                      \
  NAME(NumBitCastInst) NAME(NumBrInst) NAME(NumCallInst) NAME(NumGetElementPtrInst)                  \
  NAME(NumICmpInst) NAME(NumLShrInst) NAME(NumLoadInst) NAME(NumMulInst) NAME(NumOrInst)             \
  NAME(NumPHIInst) NAME(NumRetInst) NAME(NumSExtInst) NAME(NumSelectInst) NAME(NumShlInst)           \
  NAME(NumStoreInst) NAME(NumSubInst) NAME(NumTruncInst) NAME(NumXorInst) NAME(NumZExtInst)          \
  NAME(TotalBlocks) NAME(TotalInsts) NAME(TotalMemInst) NAME(TotalFuncs)                             \
  NAME(ArgsPhi) NAME(testUnary)
// clang-format on

inline constexpr std::string_view kAutophaseNames[] = {
#define ORDO_NAME(name) #name,
    ORDO_AUTOPHASE(ORDO_NAME)
#undef ORDO_NAME
};

// The elements, in order and under their published names.
struct AutophaseCounts {
#define ORDO_MEMBER(name) std::int64_t name = 0;
  ORDO_AUTOPHASE(ORDO_MEMBER)
#undef ORDO_MEMBER
};
static_assert(std::size(kAutophaseNames) == 56 && sizeof(AutophaseCounts) == 56 * sizeof(std::int64_t));

AutophaseCounts autophaseCounts(const llvm::Module& module);

}  // namespace ordo::features
