// Valgrind's cachegrind: the program on a simulated processor, whose counts repeat to the digit.
//
// The caches are the same on every machine (32 KiB each for code and data, 8-way; 8 MiB, 16-way behind them;
// lines of 64 bytes), not the host's, which cachegrind would take by itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sandbox/confined.h"
#include "support/error.h"

namespace ordo::running {

// Of a whole run, from the dynamic linker on; numbers of events, under cachegrind's own names.
struct Cachegrind {
  std::int64_t ir = 0, i1mr = 0,
               ilmr = 0;  // instructions, and their fetches that miss the first and last cache
  std::int64_t dr = 0, d1mr = 0, dlmr = 0;  // reads of data
  std::int64_t dw = 0, d1mw = 0, dlmw = 0;  // writes
  std::int64_t bc = 0, bcm = 0;             // conditional branches, and those that were predicted wrongly
  std::int64_t bi = 0, bim = 0;             // indirect ones
};

// What the file that cachegrind writes says of the whole run. kCorrupt, with the reason, for what is not such
// a file or not whole.
Result<Cachegrind> parseCachegrind(std::string_view text);

// The name of the file that a run of underCachegrind() leaves in its folder, unless it was ended from
// outside.
inline constexpr std::string_view kCachegrindFile = "ordo-cachegrind.out";

// `program` as it is to be run under cachegrind, by `valgrind`. It sees the same name, arguments and standard
// streams; of its environment only PATH and TMPDIR differ. REQUIRES: program.executable is absolute.
sandbox::ConfinedProgram underCachegrind(sandbox::ConfinedProgram program, const std::string& valgrind);

}  // namespace ordo::running
