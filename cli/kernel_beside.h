// What other people's libraries take for the same kernel, in the same window as the result.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernel_peers.h"
#include "env/experiment.h"
#include "support/clock.h"
#include "support/json.h"

namespace ordo::cli {

struct Beside {
  engine::KernelPeer peer;
  std::optional<env::Claim> claim;  // how much faster the result is; of those that can be had
};

// Each library in turn with `result`, on runs that no search has seen. Nobody to compare with is no failure:
// it is said in `why` of one without a name.
// `source`: the kernel before any step.
std::vector<Beside> measureBeside(env::Session& result, std::string_view source, engine::KernelRivals rivals,
                                  const Clock& clock, std::uint64_t seed);

// A line for each, or two.
void print(const std::vector<Beside>& beside, double flops);
Json toJson(const std::vector<Beside>& beside);

}  // namespace ordo::cli
