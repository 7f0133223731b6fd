// What can be decided about the calls of one program: whether one is inlined.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "runtime/decisions.h"
#include "support/error.h"

namespace ordo::runtime {

// Of a program's calls, those that are run most, or may be; calls that are left out are the inliner's.
inline constexpr std::size_t kMostCalls = 48;

class CallActions final : public Decisions {
 public:
  // Adds to `spec` both decisions about each of the program's calls, where the actions `prefix` went before;
  // its action `baseline` comes next to them. Nothing, and nothing added, if there are none.
  static Result<std::optional<CallActions>> add(engine::Engine& engine, const engine::Input& input,
                                                env::SessionSpec& spec, env::ActionIndex baseline,
                                                search::Sequence prefix = {});

  std::string_view noun() const override { return "call"; }
  // By their numbers (llvm/ir/calls.h): where a profile says how often they are run, those that are, most
  // often first; else those deepest in loops first.
  const std::vector<std::size_t>& parts() const override { return calls_; }
  // Not inlined, which shows where the compiler would; and inlined.
  std::vector<Decision> probes(std::size_t call) const override { return ways(call); }
  std::vector<Decision> ways(std::size_t call) const override;
  search::Sequence with(const std::vector<Decision>& decisions) const override;

 private:
  search::Sequence prefix_;
  env::ActionIndex baseline_ = 0, first_ = 0;  // the first decision about the first of calls_
  std::vector<std::size_t> calls_;
};

}  // namespace ordo::runtime
