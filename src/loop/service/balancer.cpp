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
    latencies[i]->up = counts[i].up;
    latencies[i]->errors = counts[i].errors;
    latencies[i]->redispatches = counts[i].redispatches;
  }
  return latencies;
}

}  // namespace ordo::loop
