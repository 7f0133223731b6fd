// What does each observation cost, in this process, on modules of two sizes?
//
// The modules are programs of the suite cut to the functions with the wanted number of instructions, after
// clang's -O1 pipeline: as large as the qsort that CompilerGym's figures are of (264), and the 400 that step
// times are quoted for. Counters: instructions, and bytes of the observation.
#include <benchmark/benchmark.h>
#include <llvm/IR/Module.h>

#include "bench/cut.h"
#include "engine/input.h"
#include "frontend/opt.h"
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"

namespace {

using namespace ordo;

// The program after clang's -O1, without the bodies of functions that would make it larger than `limit`.
ir::OwnedModule load(const char* program, unsigned limit) {
  const std::string path = std::string(ORDO_SOURCE_DIR "/suite/") + program;
  const auto input = engine::prepareInput(path, engine::Baseline{frontend::Level::kO1, false}, {});
  ORDO_CHECK(input.has_value(), "{}", input.error().message);
  const auto optimised = frontend::runOpt(input->compiled.bytes, input->pipeline, input->codegen);
  ORDO_CHECK(optimised.has_value(), "{}", optimised.error().message);
  auto module = ir::parse(*optimised, program);
  ORDO_CHECK(module.has_value(), "{}", module.error().message);
  bench::cut(**module, limit);
  return *std::move(module);
}

void observe(benchmark::State& state, const features::FeatureInfo* feature, const llvm::Module* module) {
  const Status prepared = feature->prepare == nullptr ? Status() : feature->prepare();
  ORDO_CHECK(prepared.has_value(), "{}", prepared.error().message);
  std::string bytes;
  for (auto _ : state) {
    bytes.clear();
    feature->extract(*module, bytes);
    benchmark::DoNotOptimize(bytes.data());
  }
  state.counters["instructions"] = module->getInstructionCount();
  state.counters["bytes"] = static_cast<double>(bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, ir::OwnedModule> modules[] = {{"264", load("lzh", 264)},
                                                             {"400", load("sorts", 400)}};
  for (const auto& [size, module] : modules) {
    for (const features::FeatureInfo* feature : features::catalog()) {
      benchmark::RegisterBenchmark(fmt::format("observe/{}/{}", size, feature->name).c_str(), observe,
                                   feature, &*module)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
