// Experience that is small enough to be shipped: without states, and with a sample of what was tried.
#pragma once

#include <filesystem>
#include <string>

#include "experience/experience.h"
#include "support/error.h"

namespace ordo::experience {

// Of a run of 1000 evaluations it leaves about 4 kB.
inline constexpr Sample kSlimSample{.best = 8, .others = 16, .seed = 1};

// `run` with the `best` trials that have the lowest values, at most `others` of the rest, in the order they
// had, and no states. Chance depends on the sample's seed and the run's key only.
Run slim(Run run, const Sample& sample);

// Writes `from` to `to` so, which appears whole or not at all; what was there is replaced. Omissions stay.
// The errors of a Reader and of writeFile(); kInvalidArgument if `from` is slim already or is `to`.
Status writeSlim(const std::filesystem::path& from, const std::filesystem::path& to, const Sample& sample);

}  // namespace ordo::experience
