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

}  // namespace ordo::loop
