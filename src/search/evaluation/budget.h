// How much a search may spend. The first limit that is reached ends it; what is not limited is
// infinite. Counts are doubles because infinity is one.
#pragma once

#include <algorithm>
#include <cstddef>
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

// What one of `parts` may spend of what is left of `whole` after `used`: what one did not need goes to those
// after it.
inline Budget shareOfRest(const Budget& whole, const Budget& used, std::size_t parts) {
  const auto share = [parts](double all, double gone) {
    return std::max(all - gone, 0.0) / static_cast<double>(parts);
  };
  return {share(whole.seconds, used.seconds), share(whole.evaluations, used.evaluations),
          share(whole.passes, used.passes)};
}

}  // namespace ordo::search
