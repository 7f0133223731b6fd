// ir_instructions: how many instructions the module holds, as Module::getInstructionCount() counts:
// debug records are not instructions.
#include <llvm/IR/Module.h>

#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo ir_instructions{.name = "ir_instructions",
                                        .unit = "instructions",
                                        .deterministic = true,
                                        .summary = "LLVM IR instructions in the module",
                                        .measure = [](const MetricInput& input) -> Result<double> {
                                          return static_cast<double>(input.module.getInstructionCount());
                                        }};

}  // namespace ordo::metrics
