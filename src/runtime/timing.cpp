#include "runtime/timing.h"

#include "engine/replay.h"
#include "frontend/clang.h"
#include "support/files.h"
#include "timing/image.h"

namespace ordo::runtime {
namespace fs = std::filesystem;

std::vector<timing::Input> timingInputs(const datasets::Program& program) {
  std::vector<timing::Input> inputs;
  const auto path = [&](const std::optional<fs::path>& file) {
    return file ? program.dir / *file : fs::path();
  };
  for (const datasets::TimedRun& run : program.runs) {
    inputs.push_back({.name = run.name,
                      .args = run.args,
                      .input = path(run.input),
                      .before = path(run.before),
                      .after = path(run.after),
                      .repeat = run.repeat,
                      .timeout_s = run.timeout_s,
                      .exit = run.exit,
                      .output = run.expected});
  }
  if (!inputs.empty()) return inputs;
  for (const datasets::ProgramTest& test : program.tests) {
    inputs.push_back({.name = test.name,
                      .args = test.args,
                      .input = path(test.input),
                      .timeout_s = test.timeout_s,
                      .exit = test.exit});
  }
  if (inputs.empty() && program.runnable) inputs.push_back({.exit = 0});
  return inputs;
}

Result<timing::Comparison> timeExecutables(const fs::path& baseline, const fs::path& candidate,
                                           const std::vector<timing::Input>& inputs,
                                           const TimingOptions& options) {
  timing::Comparison comparison;
  ORDO_TRY_ASSIGN(const std::string baseline_bytes, readFile(baseline));
  ORDO_TRY_ASSIGN(const std::string candidate_bytes, readFile(candidate));
  if (timing::loadedHash(baseline_bytes) == timing::loadedHash(candidate_bytes)) {
    comparison = timing::identicalPrograms(options.trial);
  } else {
    ORDO_TRY_ASSIGN(const std::unique_ptr<timing::Rig> rig,
                    timing::Rig::create(baseline, candidate, inputs, options.rig));
    ORDO_TRY_ASSIGN(comparison, timing::compare(*rig, SteadyClock(), options.trial, options.repeats));
    comparison.processor = rig->processor();
  }
  comparison.baseline = baseline.string();
  comparison.candidate = candidate.string();
  return comparison;
}

Result<timing::Comparison> timeRecipe(engine::Engine& engine, const recipe::Recipe& recipe,
                                      const std::string& file, frontend::Level level, TimingOptions options) {
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInputFor(recipe, file));
  const std::vector<timing::Input> inputs = timingInputs(input.program);
  if (inputs.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "{} cannot be timed: nothing says how it is run; give it a program.toml with tests "
                "(docs/formats/program.md), or time two executables",
                recipe.program);
  }
  ORDO_TRY_ASSIGN(const engine::Replayed replayed, engine::replay(engine, input, recipe));
  if (replayed.hash != recipe.result_hash) {
    return fail(ErrorCode::kInternal, "the replay gives other IR (hash {}) than the recipe says ({})",
                replayed.hash.hex(), recipe.result_hash.hex());
  }
  ORDO_TRY_ASSIGN(const std::string tuned, input.toolchain->emit(input, replayed.bitcode, recipe.actions));
  ORDO_TRY_ASSIGN(const frontend::Compiled stock, frontend::compileStock(input.source, level));

  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const fs::path baseline = dir.path() / "baseline", candidate = dir.path() / "candidate";
  ORDO_TRY(input.toolchain->link(input, stock.bytes, baseline));
  ORDO_TRY(input.toolchain->link(input, tuned, candidate));
  options.rig.dir = input.program.dir;
  ORDO_TRY_ASSIGN(timing::Comparison comparison, timeExecutables(baseline, candidate, inputs, options));
  comparison.baseline = fmt::format("{} by clang-{}", recipe.program, frontend::name(level));
  comparison.candidate = fmt::format("{} by its recipe", recipe.program);
  return comparison;
}

}  // namespace ordo::runtime
