// compile_ms: processor time of the passes since reset plus that of code generation. It varies from
// run to run: compare within one run, as ratios.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo compile_ms{.name = "compile_ms",
                                   .unit = "ms",
                                   .deterministic = false,
                                   .summary = "processor time of the applied passes and of code generation",
                                   .measure = [](const MetricInput& input) -> Result<double> {
                                     ORDO_TRY_ASSIGN(const Emission emission, input.emission());
                                     return input.passes_cpu_ms + emission.cpu_ms;
                                   }};

}  // namespace ordo::metrics
