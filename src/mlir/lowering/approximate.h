// Functions of mathematics as polynomials, which LLVM can vectorize: the C library's take one number at a
// time, and of attention they would take most of the time.
#pragma once

#include "support/error.h"

namespace mlir {
class ModuleOp;
}

namespace ordo::lowering {

// exp, expm1, log, log1p, tanh and erf of floats, within some 4 units of the last place
// (tests/unit/mlir/lowering/approximate_test.cpp); those of doubles, and others, stay. REQUIRES: the
// context's mutex is held. kInternal if MLIR does not come to an end.
Status approximateFunctions(mlir::ModuleOp module);

}  // namespace ordo::lowering
