// unwind_bytes: what exceptions and debuggers need to find callers. Most firmware goes without.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo unwind_bytes{
    .name = "unwind_bytes",
    .unit = "bytes",
    .deterministic = true,
    .summary = "unwind tables of the object file (.eh_frame, .ARM.exidx and what belongs to them)",
    .measure = [](const MetricInput& input) -> Result<double> {
      ORDO_TRY_ASSIGN(const Emission emission, input.emission());
      return static_cast<double>(emission.sizes.unwind);
    }};

}  // namespace ordo::metrics
