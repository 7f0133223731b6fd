#include "app/gate.h"

#include "app/check.h"
#include "app/stock.h"

namespace ordo::app {

Result<Gated> Gate::ask(const State& candidate, recipe::Recipe& recipe) {
  Gated gated;
  const Result<std::string> verified = verifyWithStock(engine_, input_, recipe);
  gated.verified = verified ? Tuned::Checked::kPassed : Tuned::Checked::kFailed;
  recipe.verified = verified ? *verified : verified.error().message;
  recipe.tested.clear();
  if (!verified) {
    gated.refused = recipe.verified;
    return gated;
  }
  ORDO_TRY_ASSIGN(gated.object, frontend::emitObject(candidate.bitcode, input_.baseline.level,
                                                     emissionSource(input_.source, recipe.actions)));
  ORDO_TRY_ASSIGN(const std::optional<datasets::TestReport> report, testObject(input_, gated.object));
  if (!report) {
    recipe.tested = compareFunctions(candidate, gated);
    return gated;
  }
  recipe.tested = report->summary();
  gated.tested = report->passed() ? Tuned::Checked::kPassed : Tuned::Checked::kFailed;
  if (!report->passed()) gated.refused = recipe.tested;
  return gated;
}

std::string Gate::compareFunctions(const State& candidate, Gated& gated) {
  const CheckOptions options{.seconds = 1, .limit_s = 10};
  const auto compare = [&](const State& state) {
    std::optional<differential::Report> report;
    return checkFunctions(input_.compiled.bytes, state.bitcode, options, report);
  };
  Check found = compare(candidate);
  if (found.verdict == Verdict::kFailed) {
    if (!baseline_differs_) baseline_differs_ = compare(baseline_).verdict == Verdict::kFailed;
    if (*baseline_differs_) {
      found.detail =
          fmt::format("functions could not be compared: {}, and so is the baseline's", found.detail);
    } else {
      gated.refused = found.detail;
    }
  }
  return fmt::format("not run: no tests are known for this program; {}", found.detail);
}

}  // namespace ordo::app
