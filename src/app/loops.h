// What can be decided about the loops of one program, as actions: how wide each innermost loop is vectorised
// and how many iterations are interleaved, or else how often it is unrolled. A space cannot list them,
// because they are the program's own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/engine.h"
#include "app/input.h"
#include "env/session.h"
#include "search/evaluation.h"
#include "support/error.h"

namespace ordo::app {

// A pipeline in two, with room for decisions between them: where loops have been simplified, and the
// vectorizer comes next to them.
struct OpenPipeline {
  std::string before, after;
};

// Nothing for text that has no default<...>: clang's pipeline is one, unless flags change its passes.
std::optional<OpenPipeline> openAtLoops(std::string_view text);

// The widths, interleave counts and unroll counts that are tried: 1, 2, ... up to these.
inline constexpr unsigned kWidest = 32, kMostInterleaved = 8, kMostUnrolled = 16;

// A decision about one loop: an action and the loop's number (ir/loops.h).
struct LoopDecision {
  std::size_t loop = 0;
  env::ActionIndex action = 0;
};

class LoopActions {
 public:
  // Adds to `spec` the parts of its action `baseline`, and each decision about each loop that the program has
  // between them, where the actions `prefix` went before. Nothing, and nothing added, if there are none.
  static Result<std::optional<LoopActions>> add(Engine& engine, const Input& input, env::SessionSpec& spec,
                                                env::ActionIndex baseline, search::Sequence prefix = {});

  // The loops' numbers, the most deeply nested first.
  const std::vector<std::size_t>& loops() const { return loops_; }

  // REQUIRES: powers of two, at most kWidest and kMostInterleaved.
  LoopDecision decision(std::size_t loop, unsigned width, unsigned interleave) const;
  // The same of kMostUnrolled. Whether the loop is vectorised is left to the compiler.
  LoopDecision unrolled(std::size_t loop, unsigned count) const;
  // All of them.
  std::vector<LoopDecision> decisions(std::size_t loop) const;

  // Prefix and baseline with these decisions; a later one about a loop takes the place of an earlier one.
  search::Sequence with(const std::vector<LoopDecision>& decisions) const;

 private:
  search::Sequence prefix_;
  env::ActionIndex before_ = 0, after_ = 0, first_ = 0;  // the first decision about loop 0
  std::vector<std::size_t> loops_;
};

}  // namespace ordo::app
