// text_bytes: the text column of llvm-size (Berkeley format): code plus read-only data, unwind
// tables included. Counting the section .text alone would reward moving code into tables.
#include "llvm/metrics/metric.h"

namespace ordo::metrics {

extern const MetricInfo text_bytes{
    .name = "text_bytes",
    .unit = "bytes",
    .deterministic = true,
    .summary = "code and read-only data of the object file, as the text column of llvm-size",
    .measure = [](const MetricInput& input) -> Result<double> {
      ORDO_TRY_ASSIGN(const ir::TextSizes sizes, input.text());
      return static_cast<double>(sizes.text);
    }};

}  // namespace ordo::metrics
