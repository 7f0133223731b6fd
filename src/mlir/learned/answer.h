// The policy of kernels: whole schedules that something promises most of, found without a compiler or a
// clock in some ten milliseconds. Schedules are bred: the best of what somebody would try first
// (mlir/model/proposals.h) and of chance are varied and crossed for some generations.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mlir/model/schedule.h"

namespace ordo::learned {

// How long it takes, in whatever unit.
using Judge = std::function<double(const model::Schedule&)>;

struct Breeding {
  std::size_t parents = 24;
  std::size_t children = 64;  // in each generation
  std::size_t generations = 16;
  std::uint64_t seed = 1;
};

// The best first, no two the same, at most so many. The same for the same seed.
std::vector<model::Schedule> answers(const std::shared_ptr<const model::Kernel>& kernel, const Judge& judge,
                                     std::size_t most, const Breeding& breeding = {});

// To learn from: a third as answers() finds them, the others by chance or near those.
std::vector<model::Schedule> exploration(const std::shared_ptr<const model::Kernel>& kernel,
                                         const Judge& judge, std::size_t most, std::uint64_t seed);

}  // namespace ordo::learned
