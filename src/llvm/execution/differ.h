// Compares the functions of two versions of a module by running them on generated inputs.
//
// An input counts if the watched original runs to an end on it without anything undefined. What the optimised
// version does differently then is wrong, unless the original without checks, or as clang's -O1 makes it,
// does not agree with the watched one either: then the input says nothing after all, and is void.
#pragma once

#include <array>
#include <cstdint>

#include "differ/report.h"
#include "support/error.h"

namespace ordo::execution {

// Where a comparison is, in memory that may be shared with another process.
struct Progress {
  std::array<char, 512> function{};
  std::uint64_t input = 0;
  bool optimized = false;  // the optimised version runs, and not a version of the original
};

// The same as differ::compare(), in this process, which a compared function can take down.
// REQUIRES: one thread.
Result<differ::Report> compareModules(const differ::Request& request, Progress& progress);

}  // namespace ordo::execution
