// What does a policy cost in the compile path?
//
//   forward/<kernel>/<parameters>   one evaluation, features given, with every kernel that runs here
//   sequence/<parameters>           a greedy sequence of 20 steps: encode, evaluate, choose; without the
//                                   compiler
//   load/<parameters>               from bytes in memory to a policy
//   encode                          one situation to features
//   answer/shipped                  all of the shipped policy's only answer but the passes: in each of the
//                                   24 states that it may go through, and once more to stop, observe the
//                                   program, encode, evaluate, choose. The program is suite/sorts cut to
//                                   1,000 instructions, which it keeps, as if no pass made it smaller
//   load/shipped                    from its file to a policy
//
// Reach: `answer/shipped` within 10 ms, `load/shipped` within 5 ms (`./ordo bench reach` reports both); at
// 0.5 million parameters, a sequence and loading under 5 ms each. Actions: 98, as many as the space `size`
// has.
#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/cut.h"
#include "engine/input.h"
#include "llvm/features/feature.h"
#include "llvm/ir/module.h"
#include "policy/choose.h"
#include "policy/policy.h"
#include "policy/view.h"
#include "tests/fakes/random_policy.h"

namespace {

using namespace ordo;

constexpr std::size_t kActions = 98;
constexpr std::uint32_t kSteps = 20;
constexpr unsigned kInstructions = 1000;
const char* const kShipped = ORDO_SOURCE_DIR "/data/policy/size.safetensors";

struct Size {
  const char* name;
  std::size_t hidden, blocks;
};
constexpr Size kSizes[] = {{"0.1M", 112, 1}, {"0.5M", 240, 3}, {"2M", 528, 3}};

std::string fileOf(const Size& size) {
  return fakes::randomPolicy(fakes::samplePolicyShape(kActions, size.hidden, size.blocks));
}

policy::Policy policyOf(const Size& size) {
  auto policy = policy::Policy::parse(fileOf(size), size.name);
  ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  return *std::move(policy);
}

// A situation after `history`, with what it borrows.
struct Episode {
  std::vector<std::int64_t> counts = std::vector<std::int64_t>(56, 40);
  std::vector<float> vector = std::vector<float>(64, 3.5f);
  std::vector<std::uint32_t> history;

  policy::Situation situation() const {
    const env::Observation autophase{DType::kInt64, {56}, std::as_bytes(std::span(counts))};
    const env::Observation ir2vec{DType::kFloat32, {64}, std::as_bytes(std::span(vector))};
    return {.observations = {{{autophase, autophase}, {ir2vec, ir2vec}}},
            .history = history,
            .preference = {0, 1},
            .start_value = 2000,
            .baseline_value = 900,
            .value = 1500,
            .steps = static_cast<std::uint32_t>(history.size()),
            .max_steps = 60};
  }
};

void encode(const policy::Encoder& encoder, const Episode& episode, std::vector<float>& features) {
  features.resize(encoder.width());
  const Status status = encoder.encode(episode.situation(), features);
  ORDO_CHECK(status.has_value(), "{}", status.error().message);
}

void forward(benchmark::State& state, const Size* size, const policy::Kernel* kernel) {
  const policy::Policy policy = policyOf(*size);
  std::vector<float> features;
  encode(policy.encoder(), {}, features);
  policy::Network::Scratch scratch;
  for (auto _ : state) benchmark::DoNotOptimize(policy.network().evaluate(features, scratch, *kernel).value);
  state.counters["parameters"] = static_cast<double>(policy::parameters(policy.network().shape()));
}

void sequence(benchmark::State& state, const Size* size) {
  const policy::Policy policy = policyOf(*size);
  const std::vector<std::uint8_t> legal(kActions + 1, 1);
  std::vector<float> features;
  policy::Network::Scratch scratch;
  for (auto _ : state) {
    Episode episode;
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      encode(policy.encoder(), episode, features);
      const std::size_t action = *policy::greedyChoice(policy.evaluate(features, scratch).logits, legal);
      episode.history.push_back(static_cast<std::uint32_t>(action % kActions));  // goes on after stop
    }
    benchmark::DoNotOptimize(episode.history.data());
  }
}

void load(benchmark::State& state, const Size* size) {
  const std::string bytes = fileOf(*size);
  for (auto _ : state) {
    const auto policy = policy::Policy::parse(bytes, "bench");
    ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  }
  state.counters["bytes"] = static_cast<double>(bytes.size());
}

void encodeOne(benchmark::State& state) {
  const policy::Encoder encoder(kActions);
  const Episode episode{.history = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
  std::vector<float> features;
  for (auto _ : state) encode(encoder, episode, features);
  state.counters["features"] = static_cast<double>(encoder.width());
}

policy::Policy shipped() {
  auto policy = policy::Policy::load(kShipped);
  ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  return *std::move(policy);
}

void loadShipped(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shipped().info().actions.size());
}

ir::OwnedModule program() {
  const auto input = engine::prepareInput(ORDO_SOURCE_DIR "/suite/sorts", engine::Baseline{}, {});
  ORDO_CHECK(input.has_value(), "{}", input.error().message);
  auto module = ir::parse(input->compiled.bytes, "sorts");
  ORDO_CHECK(module.has_value(), "{}", module.error().message);
  bench::cut(**module, kInstructions);
  return *std::move(module);
}

// Observes `module` into an array of numbers.
template <typename T>
void observe(std::string_view name, const llvm::Module& module, std::string& bytes, std::vector<T>& numbers) {
  bytes.clear();
  features::find(name)->extract(module, bytes);
  ORDO_CHECK(bytes.size() == numbers.size() * sizeof(T), "{} is of another size", name);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
}

void answer(benchmark::State& state) {
  const policy::Policy policy = shipped();
  const ir::OwnedModule module = program();
  for (const policy::Input& input : policy::kInputs) {
    const features::FeatureInfo& feature = *features::find(input.name);
    const Status prepared = feature.prepare == nullptr ? Status() : feature.prepare();
    ORDO_CHECK(prepared.has_value(), "{}", prepared.error().message);
  }
  const std::size_t actions = policy.info().actions.size() - 1;
  const std::vector<std::uint8_t> legal(actions + 1, 1);
  std::vector<float> features;
  std::string bytes;
  policy::Network::Scratch scratch;
  for (auto _ : state) {
    Episode episode;
    for (std::size_t step = 0; step <= policy::kOnlySteps; ++step) {
      observe("autophase", *module, bytes, episode.counts);
      observe("ir2vec", *module, bytes, episode.vector);
      encode(policy.encoder(), episode, features);
      const std::size_t action = *policy::greedyChoice(policy.evaluate(features, scratch).logits, legal);
      if (step < policy::kOnlySteps) episode.history.push_back(static_cast<std::uint32_t>(action % actions));
    }
    benchmark::DoNotOptimize(episode.history.data());
  }
  state.counters["steps"] = policy::kOnlySteps;
  state.counters["instructions"] = module->getInstructionCount();
}

}  // namespace

int main(int argc, char** argv) {
  for (const Size& size : kSizes) {
    for (const policy::Kernel& kernel : policy::kernels()) {
      benchmark::RegisterBenchmark(fmt::format("forward/{}/{}", kernel.name, size.name).c_str(), forward,
                                   &size, &kernel)
          ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark(fmt::format("sequence/{}", size.name).c_str(), sequence, &size)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(fmt::format("load/{}", size.name).c_str(), load, &size)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark("encode", encodeOne)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("answer/shipped", answer)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("load/shipped", loadShipped)->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
