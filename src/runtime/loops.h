// What can be decided about the loops of one program: how wide each innermost loop is vectorised and how many
// iterations are interleaved, or else how often it is unrolled.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "runtime/decisions.h"
#include "search/evaluation/evaluation.h"
#include "support/error.h"

namespace ordo::runtime {

// A pipeline in two, with room for decisions between them: where loops have been simplified, and the
// vectorizer comes next to them.
struct OpenPipeline {
  std::string before, after;
  std::string after_without_slp;  // the same, but straight code is not vectorised
};

// Nothing for text that has no default<...>: clang's pipeline is one, unless flags change its passes.
std::optional<OpenPipeline> openAtLoops(std::string_view text);

// The widths, interleave counts and unroll counts that are tried: 1, 2, ... up to these.
inline constexpr unsigned kWidest = 32, kMostInterleaved = 8, kMostUnrolled = 16;

class LoopActions final : public Decisions {
 public:
  // Adds to `spec` the parts of its action `baseline`, and each decision about each loop that the program has
  // between them, where the actions `prefix` went before. Nothing, and nothing added, if there are none. The
  // second part is its own, or that action of the spec.
  static Result<std::optional<LoopActions>> add(engine::Engine& engine, const engine::Input& input,
                                                env::SessionSpec& spec, env::ActionIndex baseline,
                                                search::Sequence prefix = {},
                                                std::optional<env::ActionIndex> second = std::nullopt);

  std::string_view noun() const override { return "loop"; }
  // By their numbers (llvm/ir/loops.h), the most deeply nested first.
  const std::vector<std::size_t>& parts() const override { return loops_; }
  // Not vectorised, which shows where the compiler would; vectorised, where it would not; and unrolled, where
  // that cannot be.
  std::vector<Decision> probes(std::size_t loop) const override;
  std::vector<Decision> ways(std::size_t loop) const override;
  search::Sequence with(const std::vector<Decision>& decisions) const override;

  // REQUIRES: powers of two, at most kWidest and kMostInterleaved.
  Decision decision(std::size_t loop, unsigned width, unsigned interleave) const;
  // The same of kMostUnrolled. Whether the loop is vectorised is left to the compiler.
  Decision unrolled(std::size_t loop, unsigned count) const;

 private:
  search::Sequence prefix_;
  env::ActionIndex before_ = 0, after_ = 0, first_ = 0;  // the first decision about loop 0
  std::vector<std::size_t> loops_;
};

}  // namespace ordo::runtime
