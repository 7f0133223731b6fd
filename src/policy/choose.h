// What to do with logits: the best action, how likely each is, one drawn at random. The same on every
// machine. An action is legal where its byte is not 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "support/rng.h"

namespace ordo::policy {

// The legal action with the largest logit, of equal ones the first; nothing if none is legal. REQUIRES for
// all of these: a byte for each logit, logits that are finite.
std::optional<std::size_t> greedyChoice(std::span<const float> logits, std::span<const std::uint8_t> legal);

// softmax(logits / temperature) over the legal actions, 0 for the others: sums to 1 up to rounding, or all 0
// if none is legal. REQUIRES: temperature > 0.
std::vector<double> probabilities(std::span<const float> logits, std::span<const std::uint8_t> legal,
                                  double temperature);

// A legal action drawn with these probabilities; the greedy choice for temperature 0; nothing if none is
// legal. Takes one number from `rng` unless the choice is greedy. REQUIRES: temperature >= 0.
std::optional<std::size_t> sampledChoice(std::span<const float> logits, std::span<const std::uint8_t> legal,
                                         double temperature, Rng& rng);

}  // namespace ordo::policy
