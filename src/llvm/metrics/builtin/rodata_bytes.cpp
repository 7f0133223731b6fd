// rodata_bytes: what is loaded and never written: constants, strings, tables of switches.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo rodata_bytes{.name = "rodata_bytes",
                                     .unit = "bytes",
                                     .deterministic = true,
                                     .summary = "read-only data of the object file, without unwind tables",
                                     .measure = [](const MetricInput& input) -> Result<double> {
                                       ORDO_TRY_ASSIGN(const Emission emission, input.emission());
                                       return static_cast<double>(emission.sizes.rodata);
                                     }};

}  // namespace ordo::metrics
