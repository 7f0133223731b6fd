#include "loop/service/balancer.h"

#include <algorithm>
#include <cmath>

namespace ordo::loop {

std::array<int, kPools> weightsOf(const Shares& shares) {
  const auto weight = [](double share) {
    return share > 0 ? std::max(1, static_cast<int>(std::lround(share * kWeights))) : 0;
  };
  const int control = weight(shares.control), canary = weight(shares.canary);
  return {kWeights - control - canary, control, canary};
}

Result<Figures> counted(Figures latencies, const Balancer& balancer) {
  ORDO_TRY_ASSIGN(const auto counts, balancer.counts());
  for (std::size_t i = 0; i < kPools; ++i) {
    if (!latencies[i]) latencies[i] = Counters{};
    Counters& counters = *latencies[i];
    const ServerCounts& server = counts[i];
    counters.up = server.up;
    counters.errors = server.errors;
    counters.aborts = server.aborts;
    counters.redispatches = server.redispatches;
    counters.tries = server.tries;
    counters.failed_checks = server.failed_checks;
    counters.falls = server.falls;
    counters.queued = server.queued;
    counters.serves = server.serves;
  }
  return latencies;
}

}  // namespace ordo::loop
