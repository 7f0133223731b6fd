// How many values are alive at once, as the IR has them: what a code generator will want registers for.
//
// An approximation that no target decides: allocas are not counted, for they are the frame's, nor are
// addresses that only loads and stores of their own block use, for those are computed there. Debug and
// lifetime markers use nothing.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
class GetElementPtrInst;
}  // namespace llvm

namespace ordo::features {

struct Liveness {
  std::int64_t across_blocks = 0;  // values alive at the end of a block, summed over blocks
  std::int64_t across_calls = 0;   // alive behind a call, the most there are
  std::int64_t at_once = 0;        // alive between two instructions, the most there are
};

// Blocks that nothing reaches are left out. All 0 for a declaration, and for a function with so many values
// and blocks that a set of each in each would be above 16 MB.
Liveness livenessOf(const llvm::Function& function);

// Whether an address is computed where it is used: by loads and stores of its own block, and nothing else.
bool foldsIntoUses(const llvm::GetElementPtrInst& address);

}  // namespace ordo::features
