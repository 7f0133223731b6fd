// data_bytes: the data column of llvm-size: initialised variables.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo data_bytes{
    .name = "data_bytes",
    .unit = "bytes",
    .deterministic = true,
    .summary = "initialised data of the object file, as the data column of llvm-size",
    .measure = [](const MetricInput& input) -> Result<double> {
      ORDO_TRY_ASSIGN(const Emission emission, input.emission());
      return static_cast<double>(emission.sizes.data);
    }};

}  // namespace ordo::metrics
