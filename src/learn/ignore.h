// Networks that cannot see everything: for ablations of features.
#pragma once

#include <cstdint>
#include <span>

#include "learn/network.h"

namespace ordo::learn {

// Makes `network` blind to the inputs that have a 1 here: their weights become 0 and stay it, whatever
// optimiser trains it, because no gradient reaches them. So its file is one like any other, and blind
// wherever it is used. REQUIRES: one byte for each input; weights that are put into it later (setWeights())
// are of a network that ignores the same.
void ignore(Network& network, std::span<const std::uint8_t> inputs);

}  // namespace ordo::learn
