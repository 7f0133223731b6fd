// What does a step through a worker cost more than calling the same pass directly?
//
// The same pass is applied to the same state of the same program in an in-process session and in an
// isolated one, ten steps here, twenty there, ten here, and the two medians are compared. Each pass
// has reached its fixpoint first, so that every repetition does the same work. Counters: direct_us and
// worker_us are medians of one step, more_us and more_percent their difference.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "engine/engine.h"
#include "engine/input.h"
#include "llvm/session/llvm_session.h"
#include "notation/action.h"

namespace {

using namespace ordo;

constexpr const char* kPasses[] = {"function(instcombine<no-verify-fixpoint>)", "function(gvn)",
                                   "function(simplifycfg)", "function(early-cse<memssa>)"};

double timed(env::Session& session, env::ActionIndex action) {
  const auto start = std::chrono::steady_clock::now();
  const Result<env::StepOutcome> outcome = session.apply({&action, 1});
  const auto end = std::chrono::steady_clock::now();
  ORDO_CHECK(outcome && outcome->ok(), "a step failed");
  return std::chrono::duration<double, std::micro>(end - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void step(benchmark::State& state, const char* program, const char* pass) {
  const Result<std::unique_ptr<engine::Engine>> engine =
      engine::Engine::start({.limits = {}, .remember_crashes = false});
  ORDO_CHECK(engine.has_value(), "{}", engine.error().message);
  const std::string path = std::string(ORDO_SOURCE_DIR "/suite/") + program;
  const Result<engine::Input> input = engine::prepareInput(path, engine::Baseline{}, {});
  ORDO_CHECK(input.has_value(), "{}", input.error().message);
  const env::SessionSpec spec{program, input->compiled.bytes, {{"pass", notation::kPipeline, pass}}, {}};
  session::LlvmBackend here;
  Result<std::unique_ptr<env::Session>> direct = here.open(spec);
  Result<std::unique_ptr<env::Session>> worker = (*engine)->backend().open(spec);
  ORDO_CHECK(direct && worker, "cannot open {}", program);
  const double instructions = (*direct)->measure("ir_instructions")->value;
  for (int i = 0; i < 5; ++i) {
    timed(**direct, 0);
    timed(**worker, 0);
  }
  std::vector<double> direct_us, worker_us;
  for (auto _ : state) {
    for (int i = 0; i < 10; ++i) direct_us.push_back(timed(**direct, 0));
    for (int i = 0; i < 20; ++i) worker_us.push_back(timed(**worker, 0));
    for (int i = 0; i < 10; ++i) direct_us.push_back(timed(**direct, 0));
  }
  const double direct_median = median(direct_us);
  const double worker_median = median(worker_us);
  state.counters["instructions"] = instructions;
  state.counters["direct_us"] = direct_median;
  state.counters["worker_us"] = worker_median;
  state.counters["more_us"] = worker_median - direct_median;
  state.counters["more_percent"] = 100 * (worker_median - direct_median) / direct_median;
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* program : {"editdist", "minivm"}) {
    for (const char* pass : kPasses) {
      benchmark::RegisterBenchmark(fmt::format("step/{}/{}", program, pass).c_str(), step, program, pass)
          ->Iterations(50)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
