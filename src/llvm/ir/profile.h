// What runs of a program said of it, as its module holds that: how often functions are entered, which way
// branches go, and a summary of how hot is hot (LLVM's instrumentation profile, `pgo-instr-use`). As numbers:
//
//   n, total, max, max internal, max of functions, counts, functions     the summary, and
//   (cutoff, least count, how many) n times                              its detailed part
//   hotness, entries                                                     each function that has a body, and
//   a weight for each way it can go, or kNoWeights                       each branch and select in it
//   (site, total, n, (value, count) n times)                             each site with usual values
//
// in the order of the module. Hotness is 1 for `inlinehint`, 2 for `cold`, 3 for both. Sites are the indirect
// calls, whose values are functions, and the calls of memcpy and its like, whose values are lengths, all
// numbered as one; functions with a body are numbered likewise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace llvm {
class Module;
}

namespace ordo::ir {

inline constexpr std::int64_t kNoWeights = -1;

// Nothing if the module has no profile of that kind.
std::vector<std::int64_t> profileOf(const llvm::Module& module);

// The inverse, on the module before it had one. Blocks without a choice may have come or gone since; usual
// values may be left out. False, and the module is as it was, if the numbers do not fit, or it has a profile.
bool setProfile(llvm::Module& module, std::span<const std::int64_t> profile);

}  // namespace ordo::ir
