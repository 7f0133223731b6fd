// Sums (and maxima, …) of what lies side by side: MLIR would turn vectors round to add them up one number at
// a time.
#pragma once

namespace mlir {
class ModuleOp;
}

namespace ordo::lowering {

// Vectors that are reduced along their last dimension alone become vectors of at most a register, which are
// combined with each other, and one reduction of what is left. The order of sums changes. REQUIRES: the
// context's mutex is held.
void reduceAcross(mlir::ModuleOp module);

}  // namespace ordo::lowering
