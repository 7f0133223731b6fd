// A balancer before the three pools: which share of requests each gets, and what it saw of them.
#pragma once

#include "loop/controller/world.h"

namespace ordo::loop {

inline constexpr int kWeights = 256;  // in which shares are expressed, of all pools together

// Weights of production, control and canary; a share above 0 is 1 at least.
std::array<int, kPools> weightsOf(const Shares& shares);

// Of one pool, since the balancer began: as in Counters. What a balancer does not tell is 0.
struct ServerCounts {
  bool up = false;
  std::uint64_t errors = 0, redispatches = 0, aborts = 0, tries = 0, failed_checks = 0, falls = 0, queued = 0;
  bool serves = false;
};

class Balancer : public Traffic {
 public:
  virtual Result<std::array<ServerCounts, kPools>> counts() const = 0;
};

// What is known of each pool: `latencies`, and from the balancer who is up, errors and redispatches, which
// are known of a pool that has no figures.
Result<Figures> counted(Figures latencies, const Balancer& balancer);

}  // namespace ordo::loop
