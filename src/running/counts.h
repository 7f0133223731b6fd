// What a processor, or cachegrind's simulation of one, counts while a program runs as its tests say: one run
// of each test, added up.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "support/error.h"

namespace ordo::running {

// What `source` says. Hardware counts are of user mode, differ from run to run, and are scaled up where the
// processor counts in turns; those of cachegrind repeat.
enum class CountSource : std::int64_t { kHardware = 1, kCachegrind = 2 };

// What `status` says: of the first run that did not do as its test says.
enum class CountStatus : std::int64_t {
  kAsTested = 0,
  kOtherwise = 1,  // another output or exit status
  kKilled = 2,     // by a signal
  kTimedOut = 3,   // by us; later tests are not run
  kNotBuilt = 4,
};

// Of what was not counted: all counts of a program that was not built or timed out, and events that the
// hardware does not have. Runs that went wrong otherwise count to their end.
inline constexpr std::int64_t kNotCounted = -1;

inline constexpr std::array<std::string_view, 12> kCountNames{
    "source",    "status",     "instructions",    "branches",         "branch_misses",  "l1i_misses",
    "l1d_reads", "l1d_writes", "l1d_read_misses", "l1d_write_misses", "llc_references", "llc_misses",
};

// The better source that this machine has: hardware, else cachegrind. kUnavailable, with the remedy, if
// neither.
Result<CountSource> countSource();

// The elements of kCountNames. `executable` is absolute, or "" for a program that could not be built. Runs
// are confined (sandbox/own_folder.h); each as long as its test says; under cachegrind fifty times that, but
// 60 s at most. An error is our own failure: kUnavailable if the source is not there. Thread-safe.
Result<std::vector<std::int64_t>> countEvents(CountSource source, const datasets::Program& program,
                                              const std::filesystem::path& executable);

}  // namespace ordo::running
