#include "support/rng.h"

#include <bit>

namespace ordo {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix(seed);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  // Rejection keeps it exactly uniform; the loop runs once almost always.
  const std::uint64_t limit = bound * (~std::uint64_t{0} / bound);
  std::uint64_t value = next();
  while (value >= limit) value = next();
  return value % bound;
}

Rng Rng::stream(std::uint64_t index) const {
  std::uint64_t seed = state_[0] ^ (index * 0xd1342543de82ef95ULL + 0x632be59bd9b4e019ULL);
  return Rng(splitmix(seed));
}

}  // namespace ordo
