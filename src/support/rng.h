// Random numbers that are the same on every machine: xoshiro256** (Blackman and Vigna, 2018,
// https://prng.di.unimi.it), seeded through splitmix64. The standard library's distributions
// differ between implementations, so the few that are needed are defined here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace ordo {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t next();

  // Uniform in [0, bound). REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound);

  // Uniform in [low, high]. REQUIRES: low <= high.
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  bool chance(double probability) { return uniform() < probability; }

  // REQUIRES: items is not empty.
  template <typename T>
  T& pick(std::span<T> items) {
    return items[below(items.size())];
  }

  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // An independent stream for part `index` of a job, whatever order the parts run in.
  Rng stream(std::uint64_t index) const;

 private:
  std::uint64_t state_[4];
};

}  // namespace ordo
