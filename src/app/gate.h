// What is asked of what a search found before it is a result (docs/checking.md).
#pragma once

#include <optional>
#include <string>

#include "app/engine.h"
#include "app/input.h"
#include "app/reach.h"
#include "app/tune.h"
#include "recipe/recipe.h"
#include "support/error.h"

namespace ordo::app {

struct Gated {
  std::string refused;  // why it may not be the result, or ""
  Tuned::Checked verified = Tuned::Checked::kNotPossible;
  Tuned::Checked tested = Tuned::Checked::kNotPossible;
  std::string object;  // made by stock clang; "" if it did not come to that
};

// Of one tuning run. One thread at a time; what it is made of must outlive it.
class Gate {
 public:
  Gate(Engine& engine, const Input& input, const State& baseline)
      : engine_(engine), input_(input), baseline_(baseline) {}

  // Whether stock opt-22 makes the same IR of `recipe`, whose actions and hash are those of `candidate`, and
  // whether the program's tests pass on it. Without tests, functions are compared with the original's for
  // about a second; if the baseline, which is clang's own, differs too, that comparison is not believed.
  // Stops at the first refusal. Writes what came of it into `recipe`.
  Result<Gated> ask(const State& candidate, recipe::Recipe& recipe);

 private:
  std::string compareFunctions(const State& candidate, Gated& gated);

  Engine& engine_;
  const Input& input_;
  const State& baseline_;
  std::optional<bool> baseline_differs_;  // in its functions; asked when it matters
};

}  // namespace ordo::app
