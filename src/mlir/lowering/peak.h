// What this processor could do at best.
#pragma once

namespace ordo::lowering {

// Floating operations a second of one core, for single precision: the most that a loop of independent fused
// multiplications and additions reaches, the best of a few runs of a millisecond; 0 if it has none. Measured,
// since clock rates depend on the neighbours; compare with what is timed beside it.
double peakFlops();

}  // namespace ordo::lowering
