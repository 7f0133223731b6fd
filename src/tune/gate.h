// What is asked of what a search found before it is a result (docs/checking.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/flaky.h"
#include "engine/engine.h"
#include "engine/image.h"
#include "engine/input.h"
#include "engine/reach.h"
#include "recipe/recipe.h"
#include "support/error.h"
#include "tune/tune.h"

namespace ordo::tune {

struct Gated {
  std::string refused;  // why it may not be the result, or ""
  Tuned::Checked verified = Tuned::Checked::kNotPossible;
  Tuned::Checked tested = Tuned::Checked::kNotPossible;
  std::string object;                  // made by stock clang; "" if it did not come to that
  std::optional<engine::Image> image;  // linked with it, of a program that has a machine
};

// Of one tuning run. One thread at a time; what it is made of must outlive it.
class Gate {
 public:
  // `limits` and `ram_price`: as of TuneOptions, for what is linked. `hurry`: what the baseline is made of is
  // not compared with the program as it is.
  Gate(engine::Engine& engine, const engine::Input& input, const engine::State& baseline,
       std::vector<std::string> limits = {}, bool hurry = false, double ram_price = engine::kRamPrice);

  // Whether stock opt-22 makes the same IR of `recipe`, whose actions and hash are those of `candidate`, and
  // whether the program's tests pass on it; flaky ones (flaky.h) are not believed. Without any that are,
  // functions are compared with the original's for about a second; if the baseline, which is clang's own,
  // differs too, that comparison is not believed. An image that may not replace the baseline's
  // (engine::mayReplace()) is refused, and one with more code if code has a limit of the baseline's.
  // Stops at the first refusal. Writes what came of it into `recipe`.
  Result<Gated> ask(const engine::State& candidate, recipe::Recipe& recipe);

  // The image of the baseline; nothing before one of a candidate was asked for.
  const std::optional<engine::Image>& baselineImage() const { return baseline_image_; }

  // A sentence about each test that was found to be flaky.
  const std::vector<std::string>& flaky() const { return court_.flaky(); }

 private:
  std::string compareFunctions(const engine::State& candidate, std::string_view no_tests, Gated& gated);

  Status weighImage(Gated& gated);

  engine::Engine& engine_;
  const engine::Input& input_;
  const engine::State& baseline_;
  const std::vector<std::string> limits_;
  const bool hurry_;
  const double ram_price_;
  check::TestCourt court_;
  std::optional<engine::Image> baseline_image_;
  std::optional<bool> baseline_differs_;  // in its functions; asked when it matters
};

}  // namespace ordo::tune
