// Random search: four environments take legal actions at random, and the best of all episodes is printed.
// Built as `example_random_search`, which takes a program and a number of steps.
#include <fmt/format.h>

#include <cstdlib>

#include "engine/baseline.h"
#include "engine/engine.h"
#include "engine/program_library.h"
#include "env/vector_env.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"
#include "support/rng.h"

using namespace ordo;

namespace {

Status run(const std::string& program, std::uint32_t steps) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), "size", manifest));

  auto episodes = std::make_shared<env::EpisodeSpec>();
  episodes->backend = &engine->backend();
  episodes->actions = space.actions;
  episodes->safe.assign(space.actions.size(), 1);
  for (const env::ActionIndex action : space.unsafe) episodes->safe[action] = 0;
  ORDO_TRY_ASSIGN(episodes->reward,
                  env::parseReward("ir_instructions/clang-Oz", {"ir_instructions"}, engine::baselineNames()));
  episodes->max_steps = 45;
  engine::LibraryOptions needed;
  needed.values = {"ir_instructions/initial", "ir_instructions/clang-Oz"};
  ORDO_TRY_ASSIGN(const auto library, engine::ProgramLibrary::create(*engine, needed));

  constexpr std::uint32_t kEnvironments = 4;
  env::VectorSpec spec;
  spec.environments = kEnvironments;
  spec.programs = {program};
  ORDO_TRY_ASSIGN(const auto vector, env::VectorEnv::create(episodes, spec, library.get()));

  const std::uint32_t choices = episodes->choices();
  std::vector<std::uint8_t> masks(std::size_t{kEnvironments} * choices);
  double returns[kEnvironments], best = -1e9;
  std::string passes;  // of the best
  std::vector<std::int64_t> actions(kEnvironments);
  env::Batch batch;
  batch.masks = masks.data();
  batch.returns = returns;
  Rng rng(0);
  ORDO_TRY(vector->reset());
  for (std::uint32_t done = 0; done < steps; done += kEnvironments) {
    ORDO_TRY(vector->recv(batch));
    for (std::uint32_t i = 0; i < kEnvironments; ++i) {
      const env::Episode& episode = vector->episode(i);
      if (episode.ended() != env::Ending::kNone && returns[i] > best) {
        best = returns[i];
        passes.clear();
        for (const env::ActionIndex action : episode.actions()) passes += " " + space.actions[action].name;
      }
      do actions[i] = static_cast<std::int64_t>(rng.below(choices));
      while (masks[i * choices + static_cast<std::size_t>(actions[i])] == 0);
    }
    ORDO_TRY(vector->send(actions));
  }
  fmt::print("{}: best return {:.4f}; {}\n{}\n", program, best, env::definition(episodes->reward), passes);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 2 ? std::atoi(argv[2]) : 2000;
  const Status status = run(argc > 1 ? argv[1] : "suite/crc32", static_cast<std::uint32_t>(steps));
  if (!status) fmt::print(stderr, "{}\n", status.error().message);
  return status ? 0 : 1;
}
