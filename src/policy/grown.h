// Weights for a space that only grew: what was learned of its beginning goes on being known.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "policy/safetensors.h"
#include "support/error.h"

namespace ordo::policy {

// `tensors` of `policy` as those of one with these `actions`, the last of which is kStop: features of new
// actions count for nothing, and a new action is liked as the mean of the old ones is. What it says of the
// old actions is what it said, but for the share that the new ones take. kInvalidArgument unless `actions`
// begin with those of `policy`.
Result<std::vector<Tensor>> grown(const Policy& policy, std::vector<Tensor> tensors,
                                  std::span<const std::string> actions);

}  // namespace ordo::policy
