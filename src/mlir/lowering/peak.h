// What this processor could do at best.
#pragma once

#include <cstdint>

namespace ordo::lowering {

// Floating operations a second of one core, for floats of so many bytes, 4 or 8: the most that a loop of
// independent fused multiplications and additions reaches, the best of a few runs of a millisecond; 0 if it
// has none. Measured, since clock rates depend on the neighbours; compare with what is timed beside it.
double peakFlops(std::int64_t bytes);

}  // namespace ordo::lowering
