// A kernel as a function of Python on PyTorch's tensors: what others' libraries are given to do the same.
#pragma once

#include <string>

#include "mlir/lowering/payload.h"
#include "support/error.h"

namespace ordo::lowering {

// `def kernel(k, in0, …)` that returns a tuple of the results. Operations are methods of `k`
// (data/peers/kernel_peers.py): k.contract, k.conv2d, k.pool, k.reduce, k.full, k.align; elementwise ones are
// PyTorch's own, `k.torch`. kUnsupported for what has no such words.
Result<std::string> torchText(Workshop& workshop, const Payload& payload);

}  // namespace ordo::lowering
