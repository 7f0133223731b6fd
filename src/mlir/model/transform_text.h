// A schedule as text of the transform dialect, which stock mlir-opt-22 applies to the very code that the
// schedule was made for:
//
//   mlir-opt-22 kernel.mlir --transform-preload-library=transform-library-paths=schedule.mlir
//   --transform-interpreter
//
// The sequence finds the operations of linalg in the function by their order, and marks them, since tiling
// and fusion keep marks and nothing else.
#pragma once

#include <string>

#include "mlir/model/schedule.h"

namespace ordo::model {

// A module with the named sequence @__transform_main.
std::string transformText(const Schedule& schedule);
// A sequence that only takes apart what stands in the kernel's text as one (Kernel::aggregates).
std::string decompositionText(const Kernel& kernel);

}  // namespace ordo::model
