// Normal numbers, for noise.
#pragma once

#include <cmath>
#include <numbers>

#include "support/rng.h"

namespace ordo::timing {

// A standard normal number (Box and Muller 1958).
inline double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

}  // namespace ordo::timing
