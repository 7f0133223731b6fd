// object_bytes: the whole object file, with headers, symbols, relocations and debug info.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo object_bytes{.name = "object_bytes",
                                     .unit = "bytes",
                                     .deterministic = true,
                                     .summary = "size of the object file",
                                     .measure = [](const MetricInput& input) -> Result<double> {
                                       ORDO_TRY_ASSIGN(const Emission emission, input.emission());
                                       return static_cast<double>(emission.object_bytes);
                                     }};

}  // namespace ordo::metrics
