// How much a search may spend. The first limit that is reached ends it; what is not limited is
// infinite. Counts are doubles because infinity is one.
#pragma once

#include <limits>

namespace ordo::search {

struct Budget {
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  double seconds = kUnlimited;
  double evaluations = kUnlimited;  // whole sequences answered, also those answered from memory
  double passes = kUnlimited;       // actions applied

  // The same limits at `fraction` of their way.
  Budget share(double fraction) const {
    return {seconds * fraction, evaluations * fraction, passes * fraction};
  }
};

}  // namespace ordo::search
