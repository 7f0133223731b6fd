// How many whole sequences does a search evaluate in ten seconds on all cores?
//
// Programs of 1,000 to 2,000 instructions of the suite, the default searcher and space, once for
// each objective. Counters: sequences are all that were answered, of which `known` percent without
// measuring; measured is the number of full measurements.
#include <benchmark/benchmark.h>

#include <thread>

#include "engine/engine.h"
#include "engine/input.h"
#include "search/driver/driver.h"
#include "spaces/manifest.h"
#include "spaces/space.h"

namespace {

using namespace ordo;

void searchFor(benchmark::State& state, const char* program, const char* metric) {
  const Result<std::unique_ptr<engine::Engine>> engine =
      engine::Engine::start({.limits = {}, .remember_crashes = false});
  ORDO_CHECK(engine.has_value(), "{}", engine.error().message);
  const std::filesystem::path data = ORDO_SOURCE_DIR "/data";
  const Result<spaces::Manifest> manifest = spaces::loadManifest(data, (*engine)->info());
  ORDO_CHECK(manifest.has_value(), "{}", manifest.error().message);
  const Result<spaces::Space> space = spaces::loadSpace(data, "size", *manifest);
  ORDO_CHECK(space.has_value(), "{}", space.error().message);
  const Result<engine::Input> input =
      engine::prepareInput(std::string(ORDO_SOURCE_DIR "/suite/") + program, engine::Baseline{}, {});
  ORDO_CHECK(input.has_value(), "{}", input.error().message);
  env::SessionSpec spec{program, input->compiled.bytes, space->actions, input->settings()};
  const auto baseline =
      static_cast<env::ActionIndex>(std::find_if(spec.actions.begin(), spec.actions.end(),
                                                 [](const env::Action& a) { return a.name == "clang-Oz"; }) -
                                    spec.actions.begin());
  search::Objective objective{.metric = metric, .screen = {}};
  if (objective.metric != "ir_instructions") objective.screen = "ir_instructions";

  for (auto _ : state) {
    Result<std::unique_ptr<search::Evaluator>> evaluator = search::Evaluator::open(
        (*engine)->backend(), spec, objective, {.jobs = std::max(1u, std::thread::hardware_concurrency())});
    ORDO_CHECK(evaluator.has_value(), "{}", evaluator.error().message);
    search::SearchOptions options;
    options.budget.seconds = 10;
    options.seeds = {{baseline}, {}};
    const Result<search::SearchResult> found = search::search(**evaluator, options);
    ORDO_CHECK(found.has_value(), "{}", found.error().message);
    const search::Statistics& statistics = found->statistics;
    state.counters["seconds"] = statistics.seconds;
    state.counters["sequences"] = static_cast<double>(statistics.evaluations);
    state.counters["passes"] = static_cast<double>(statistics.passes);
    state.counters["measured"] = static_cast<double>(statistics.measurements);
    state.counters["known"] = 100.0 *
                              static_cast<double>(statistics.sequence_hits + statistics.duplicate_hits) /
                              static_cast<double>(statistics.evaluations);
    state.counters["change_percent"] = 100 * (found->best.value / found->seeds[0].value - 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* metric : {"ir_instructions", "text_bytes"}) {
    for (const char* program : {"linalg", "sorts", "eventsim", "stencil"}) {
      benchmark::RegisterBenchmark(fmt::format("search/{}/{}", metric, program).c_str(), searchFor, program,
                                   metric)
          ->Iterations(1)
          ->Unit(benchmark::kSecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
