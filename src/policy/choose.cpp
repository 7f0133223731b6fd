#include "policy/choose.h"

#include "policy/kernels.h"
#include "support/error.h"

namespace ordo::policy {

std::optional<std::size_t> greedyChoice(std::span<const float> logits, std::span<const std::uint8_t> legal) {
  ORDO_CHECK(logits.size() == legal.size(), "{} logits, {} bytes", logits.size(), legal.size());
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (legal[i] != 0 && (!best || logits[i] > logits[*best])) best = i;
  }
  return best;
}

std::vector<double> probabilities(std::span<const float> logits, std::span<const std::uint8_t> legal,
                                  double temperature) {
  ORDO_CHECK(temperature > 0, "the temperature {}", temperature);
  std::vector<double> result(logits.size());
  const std::optional<std::size_t> best = greedyChoice(logits, legal);
  if (!best) return result;
  // Relative to the largest, which makes every exponent at most 0 and the sum at least 1.
  const double largest = logits[*best];
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (legal[i] == 0) continue;
    result[i] = portableExp((logits[i] - largest) / temperature);
    sum += result[i];
  }
  for (double& probability : result) probability /= sum;
  return result;
}

std::optional<std::size_t> sampledChoice(std::span<const float> logits, std::span<const std::uint8_t> legal,
                                         double temperature, Rng& rng) {
  const std::optional<std::size_t> best = greedyChoice(logits, legal);
  if (!best || temperature == 0) return best;
  const std::vector<double> chances = probabilities(logits, legal, temperature);
  double left = rng.uniform();
  for (std::size_t i = 0; i < chances.size(); ++i) {
    if (left < chances[i]) return i;
    left -= chances[i];
  }
  return best;  // the rounding of the sum: less than one draw in 2^40
}

}  // namespace ordo::policy
