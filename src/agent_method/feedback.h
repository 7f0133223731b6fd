// Feedback that says nothing: the numbers that tools answer, in another order. A model that gains as much
// with it does not adapt to what it measures. Each value with its gain is that of another sequence of the
// same dialogue; of a list, the numbers change places.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "support/json.h"
#include "support/rng.h"

namespace ordo::agent_method {

class ShuffledFeedback {
 public:
  ShuffledFeedback(std::uint64_t seed, double baseline_value, double start_value, double start_gain);

  // Changes `result`, but for what it cost and what is left.
  void shuffle(Json& result);

 private:
  struct Measured {
    Json value, gain, best;
  };

  Rng rng_;
  std::vector<Measured> kept_;  // said by tools and not yet shown; two at first
};

}  // namespace ordo::agent_method
