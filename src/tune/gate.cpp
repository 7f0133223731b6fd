#include "tune/gate.h"

#include <future>

#include "check/check.h"
#include "engine/limits.h"
#include "engine/replay.h"
#include "env/metric.h"
#include "support/files.h"

namespace ordo::tune {
namespace {

// Those of the tests of `input` that have these numbers, on `object`.
Result<datasets::TestReport> runTests(const engine::Input& input, const std::string& object,
                                      const std::vector<std::size_t>& tests) {
  datasets::Program program = input.program;
  program.tests.clear();
  for (const std::size_t test : tests) program.tests.push_back(input.program.tests[test]);
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path executable = dir.path() / "program";
  ORDO_TRY(input.toolchain->link(input, object, executable));
  return datasets::runTests(program, executable);
}

}  // namespace

Gate::Gate(engine::Engine& engine, const engine::Input& input, const engine::State& baseline,
           std::vector<std::string> limits, bool hurry, double ram_price)
    : engine_(engine),
      input_(input),
      baseline_(baseline),
      limits_(std::move(limits)),
      hurry_(hurry),
      ram_price_(ram_price),
      court_(
          input.program.tests.size(),
          [&input](const std::string& object, const std::vector<std::size_t>& tests) {
            return runTests(input, object, tests);
          },
          [&input, &baseline] { return input.toolchain->emit(input, baseline.bitcode, {}); }) {}

Result<Gated> Gate::ask(const engine::State& candidate, recipe::Recipe& recipe) {
  Gated gated;
  // Side by side, because of a large program each takes as long as the baseline did.
  std::future<Result<std::string>> object = std::async(
      std::launch::async, [&] { return input_.toolchain->emit(input_, candidate.bitcode, recipe.actions); });
  const Result<std::string> verified = engine::verifyWithStock(engine_, input_, recipe);
  Result<std::string> emitted = object.get();
  gated.verified = verified ? Tuned::Checked::kPassed : Tuned::Checked::kFailed;
  recipe.verified = verified ? *verified : verified.error().message;
  recipe.tested.clear();
  if (!verified) {
    gated.refused = recipe.verified;
    return gated;
  }
  ORDO_TRY_ASSIGN(gated.object, std::move(emitted));
  if (!input_.program.machine.empty()) ORDO_TRY(weighImage(gated));
  if (!gated.refused.empty()) return gated;
  if (const std::string why = input_.whyNotRun(); !input_.program.tests.empty() && !why.empty()) {
    recipe.tested = compareFunctions(candidate, "its tests do not run: " + why, gated);
    return gated;
  }
  if (input_.program.tests.empty()) {
    recipe.tested = compareFunctions(candidate, "no tests are known for this program", gated);
    return gated;
  }
  ORDO_TRY_ASSIGN(const check::Testimony heard, court_.hear(gated.object));
  recipe.tested = heard.summary;
  if (heard.believed) {
    gated.tested = heard.failures.empty() ? Tuned::Checked::kPassed : Tuned::Checked::kFailed;
    gated.refused = heard.failures;
  } else {
    recipe.tested = compareFunctions(candidate, "its tests are " + heard.summary, gated);
  }
  return gated;
}

// What is linked decides what is stored: alignment, literal pools and what nobody calls are not in a metric.
Status Gate::weighImage(Gated& gated) {
  ORDO_TRY_ASSIGN(gated.image, engine::imageOf(input_, gated.object));
  if (!baseline_image_) {
    ORDO_TRY_ASSIGN(const std::string object, input_.toolchain->emit(input_, baseline_.bitcode, {}));
    ORDO_TRY_ASSIGN(baseline_image_, engine::imageOf(input_, object));
  }
  const engine::Image &image = *gated.image, &baseline = *baseline_image_;
  if (!engine::mayReplace(image, baseline, ram_price_)) {
    gated.refused =
        fmt::format("its image takes {} bytes of flash and {} of RAM, and the baseline's {} and {}",
                    image.flash(), image.ram(), baseline.flash(), baseline.ram());
    if (image.flash() < baseline.flash())
      gated.refused += fmt::format("; --ram-price {} would take it",
                                   (baseline.flash() - image.flash()) / (image.ram() - baseline.ram()));
    return {};
  }
  for (const std::string& text : limits_) {
    ORDO_TRY_ASSIGN(const engine::AskedLimit limit, engine::parseLimit(text));
    // An absolute one is of the object, without what it is linked with.
    if (limit.metric != env::kCodeBytes || !limit.relative) continue;
    if (static_cast<double>(image.code()) > limit.most(static_cast<double>(baseline.code()))) {
      gated.refused = fmt::format("its image has {} bytes of code, and the baseline's {}, beyond {}",
                                  image.code(), baseline.code(), text);
    }
  }
  return {};
}

// Says why there are no tests, and what came of this instead.
std::string Gate::compareFunctions(const engine::State& candidate, std::string_view no_tests, Gated& gated) {
  if (hurry_ && candidate.hash == baseline_.hash)
    return fmt::format("not run: {}; it is what clang makes", no_tests);
  if (!input_.toolchain->runsHere(input_)) {
    return fmt::format("NOT CHECKED but for its IR: {}, and functions for {} are not compared here", no_tests,
                       input_.codegen.triple.empty() ? engine_.info().name : input_.codegen.triple);
  }
  const check::CheckOptions options{.seconds = 1, .limit_s = 10};
  std::optional<differ::Report> report;
  const auto compare = [&](const engine::State& state) {
    return check::checkFunctions(input_.compiled.bytes, state.bitcode, options, report);
  };
  check::Check found = compare(candidate);
  if (found.verdict == check::Verdict::kSkipped) {
    std::string why = found.detail;
    if (report) {
      why = report->functions.empty()
                ? "other modules can call none"
                : fmt::format("{}: {}", report->functions.front().name, report->functions.front().detail);
    }
    return fmt::format("NOT CHECKED but for its IR: {}, and no function could be compared ({})", no_tests,
                       why);
  }
  if (found.verdict == check::Verdict::kFailed) {
    if (!baseline_differs_) baseline_differs_ = compare(baseline_).verdict == check::Verdict::kFailed;
    if (*baseline_differs_) {
      found.detail =
          fmt::format("functions could not be compared: {}, and so is the baseline's", found.detail);
    } else {
      gated.refused = found.detail;
    }
  }
  return fmt::format("not run: {}; {}", no_tests, found.detail);
}

}  // namespace ordo::tune
