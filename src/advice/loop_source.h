// Loops to learn from, as C: functions of one loop each with a driver around it, in many shapes of what
// loops over arrays do. The same number gives the same loop everywhere.
//
// The kernels of bench/loops/, by which what was learned is judged, are not among them: a loop that would be
// one of those, whatever its constants, is replaced.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ordo::advice {

struct LoopSource {
  // A program's part without a library. Its functions that others call:
  //   void prepare(void)                    fills the arrays, always the same
  //   uint64_t work(long rounds, long n)    calls the loop's function so often, gives something of its
  //   results uint64_t hashed(void)                 of all arrays
  std::string text;
  // What loops that teach the same have in common: types, operations, ways through memory; not how often it
  // runs. Split by this, not by number.
  std::string shape;
  // Values of n: more than one where the compiler cannot know how often the loop runs.
  std::vector<long> counts;
};

// An odd seed makes loops of all kinds, an even one plain ones: of the few operations that most loops have.
LoopSource loopSource(std::uint64_t seed, std::uint64_t number);

}  // namespace ordo::advice
