// Modules of a wanted size, for benchmarks.
#pragma once

#include <llvm/IR/Module.h>

namespace ordo::bench {

// Drops the bodies of functions that would make the module larger than `limit` instructions.
inline void cut(llvm::Module& module, unsigned limit) {
  unsigned kept = 0;
  for (llvm::Function& function : module) {
    const unsigned size = function.getInstructionCount();
    if (kept + size <= limit) {
      kept += size;
    } else {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  }
}

}  // namespace ordo::bench
