// code_bytes: what runs and nothing else. It can be had smaller by moving work into tables: see text_bytes.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo code_bytes{.name = "code_bytes",
                                   .unit = "bytes",
                                   .deterministic = true,
                                   .summary = "code of the object file: its executable sections",
                                   .measure = [](const MetricInput& input) -> Result<double> {
                                     ORDO_TRY_ASSIGN(const ir::TextSizes sizes, input.text());
                                     return static_cast<double>(sizes.code);
                                   }};

}  // namespace ordo::metrics
