// How long until `ordo` answers, and until a search has its first evaluation?
//
// help: the whole process `ordo --help`. first_evaluation: from nothing to the baseline's first
// measurement, as `ordo tune` gets there (engine, front end, session, passes, emission).
#include <benchmark/benchmark.h>

#include "engine/engine.h"
#include "engine/input.h"
#include "search/evaluation/evaluator.h"
#include "support/process.h"

namespace {

using namespace ordo;

void help(benchmark::State& state) {
  for (auto _ : state) {
    const Result<ProcessResult> result = runProcess({ORDO_BIN_DIR "/ordo", "--help"});
    ORDO_CHECK(result && result->ok(), "ordo --help failed");
  }
}

void firstEvaluation(benchmark::State& state) {
  for (auto _ : state) {
    const Result<std::unique_ptr<engine::Engine>> engine =
        engine::Engine::start({.limits = {}, .remember_crashes = false});
    ORDO_CHECK(engine.has_value(), "{}", engine.error().message);
    const Result<engine::Input> input =
        engine::prepareInput(ORDO_SOURCE_DIR "/suite/linalg", engine::Baseline{}, {});
    ORDO_CHECK(input.has_value(), "{}", input.error().message);
    env::SessionSpec spec{"linalg",
                          input->compiled.bytes,
                          {engine::baselineAction(input->baseline, input->pipeline)},
                          input->settings()};
    Result<std::unique_ptr<search::Evaluator>> evaluator =
        search::Evaluator::open((*engine)->backend(), spec, {.metric = "text_bytes", .screen = {}});
    ORDO_CHECK(evaluator.has_value(), "{}", evaluator.error().message);
    const search::Evaluation baseline = (*evaluator)->evaluateOne({0});
    ORDO_CHECK(baseline.measured(), "the baseline failed: {}", baseline.detail);
  }
}

}  // namespace

BENCHMARK(help)->Unit(benchmark::kMillisecond)->Iterations(50)->UseRealTime();
BENCHMARK(firstEvaluation)->Unit(benchmark::kMillisecond)->Iterations(20)->UseRealTime();
BENCHMARK_MAIN();
