// The engine under bad weather: random sequences over the space `full`, and over every pass, traps too,
// in workers that crash, hang and grow. The coordinator must survive it, every death must be in the
// ledger, and nothing may be left behind.
//
// CI runs a short version; ORDO_FULL=1 runs the full one (2,000 sequences of 20 actions over 8
// programs, 100,000 steps for memory), whose figures are in docs/results.md.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "engine/engine.h"
#include "engine/input.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/process.h"
#include "support/rng.h"
#include "tests/fakes/processes.h"

namespace ordo {
namespace {

bool full() { return std::getenv("ORDO_FULL") != nullptr; }

std::vector<engine::Input> programs() {
  std::vector<engine::Input> inputs;
  for (const char* name : {"crc32", "sha256", "frames", "sorts", "eventsim", "json", "lzh", "minivm"}) {
    Result<engine::Input> input =
        engine::prepareInput(std::string(ORDO_SOURCE_DIR "/suite/") + name, engine::Baseline{}, {});
    EXPECT_TRUE(input.has_value()) << input.error().message;
    if (input) inputs.push_back(*std::move(input));
  }
  return inputs;
}

// Every action of the manifest that passes could make, traps included: the weather is meant to be bad.
std::vector<env::Action> everyAction(const env::BackendInfo& info) {
  Result<spaces::Manifest> manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", info);
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
  std::vector<env::Action> actions;
  for (const spaces::ManifestRow& row : manifest->rows) {
    // Whole pipelines would hide single passes behind their running time.
    if (row.kind != spaces::RowKind::kComposite) actions.push_back(row.action());
  }
  return actions;
}

// The actions of the space `full`: what users get, whole pipelines included.
std::vector<env::Action> fullSpace(const env::BackendInfo& info) {
  const Result<spaces::Manifest> manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", info);
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
  Result<spaces::Space> space = spaces::loadSpace(ORDO_SOURCE_DIR "/data", "full", *manifest);
  EXPECT_TRUE(space.has_value()) << space.error().message;
  return space->actions;
}

void soak(std::vector<env::Action> (*actions_of)(const env::BackendInfo&)) {
  const std::size_t sequences = full() ? 2000 : 160;
  const std::size_t length = 20;
  sandbox::Limits limits;
  limits.wall_s = limits.cpu_s = full() ? 10 : 4;
  limits.memory_bytes = std::size_t{1} << 30;
  std::vector<int> zygotes;
  env::IsolationStats stats;
  std::int64_t recorded = 0;
  std::array<std::atomic<std::int64_t>, 7> statuses{};
  {
    Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::start({limits, false});
    ASSERT_TRUE(engine.has_value()) << engine.error().message;
    zygotes = childrenOf(::getpid());
    const std::vector<engine::Input> inputs = programs();
    const std::vector<env::Action> actions = actions_of((*engine)->info());
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    for (unsigned lane = 0; lane < std::max(2u, std::thread::hardware_concurrency()); ++lane) {
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < sequences; i = next++) {
          const engine::Input& input = inputs[i % inputs.size()];
          Rng rng = Rng(20261121).stream(i);
          Result<std::unique_ptr<env::Session>> session = (*engine)->backend().open(
              {input.program.name, input.compiled.bytes, actions, input.settings()});
          ASSERT_TRUE(session.has_value()) << session.error().message;
          for (std::size_t k = 0; k < length; ++k) {
            const auto action = static_cast<env::ActionIndex>(rng.below(actions.size()));
            const Result<env::StepOutcome> outcome = (*session)->apply({&action, 1});
            ASSERT_TRUE(outcome.has_value()) << actions[action].name << ": " << outcome.error().message;
            ++statuses[static_cast<std::size_t>(outcome->status)];
          }
          // A broken program is an outcome too.
          const Result<env::Measurement> size = (*session)->measure("text_bytes");
          ASSERT_TRUE(size.has_value()) << size.error().message;
          ++statuses[static_cast<std::size_t>(size->status)];
        }
      });
    }
    threads.clear();
    stats = (*engine)->backend().stats();
    recorded = (*engine)->backend().ledger().recordedHere();
  }
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    fmt::print("  {:18} {}\n", env::name(static_cast<env::StepStatus>(i)), statuses[i].load());
  }
  fmt::print("  workers: {} started, {} died, {} recycled; {} sessions rebuilt, {} actions masked\n",
             stats.workers_started, stats.workers_died, stats.workers_recycled, stats.sessions_rebuilt,
             stats.actions_masked);
  EXPECT_GT(statuses[0].load(), static_cast<std::int64_t>(sequences * length / 2));
  EXPECT_EQ(stats.workers_died, recorded) << "a death is missing from the ledger";
  // The zygote and its workers are gone with the engine.
  for (const int zygote : zygotes) EXPECT_FALSE(std::filesystem::exists(fmt::format("/proc/{}", zygote)));
}

TEST(Soak, EveryPassTrapsIncludedNeverTakesTheCoordinatorDown) { soak(everyAction); }

TEST(Soak, TheFullSpaceNeverTakesTheCoordinatorDown) { soak(fullSpace); }

TEST(Soak, MemoryStaysFlat) {
  const std::size_t steps = full() ? 100000 : 8000;
  Result<std::unique_ptr<engine::Engine>> engine =
      engine::Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine.has_value()) << engine.error().message;
  const Result<engine::Input> input =
      engine::prepareInput(ORDO_SOURCE_DIR "/suite/crc32", engine::Baseline{}, {});
  ASSERT_TRUE(input.has_value()) << input.error().message;
  Result<spaces::Manifest> manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", (*engine)->info());
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  std::vector<env::Action> actions;
  for (const char* name :
       {"sroa", "early-cse", "simplifycfg", "instcombine<no-verify-fixpoint>", "gvn", "loop-rotate", "licm",
        "indvars", "inline", "globalopt", "reg2mem", "loop-unroll"}) {
    const spaces::ManifestRow* row = manifest->find(name);
    ASSERT_NE(row, nullptr) << name;
    actions.push_back(row->action());
  }
  Result<std::unique_ptr<env::Session>> session =
      (*engine)->backend().open({"crc32", input->compiled.bytes, actions, input->settings()});
  ASSERT_TRUE(session.has_value()) << session.error().message;

  const std::vector<int> zygotes = childrenOf(::getpid());
  ASSERT_EQ(zygotes.size(), 1u);
  Rng rng(7);
  std::uint64_t coordinator_start = 0, worker_start = 0;
  std::uint64_t coordinator_peak = 0, worker_peak = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    if (step % 20 == 0) {
      ASSERT_TRUE((*session)->reset().has_value());
    }
    const auto action = static_cast<env::ActionIndex>(rng.below(actions.size()));
    ASSERT_TRUE((*session)->apply({&action, 1}).has_value());
    if (step % 50 == 0) {
      ASSERT_TRUE((*session)->measure("ir_instructions").has_value());
    }
    if (step % 500 == 0) {
      const std::vector<int> workers = childrenOf(zygotes[0]);
      ASSERT_FALSE(workers.empty());
      const std::uint64_t coordinator = rssBytes(::getpid());
      const std::uint64_t worker = rssBytes(workers[0]);
      // Tables that LLVM makes on demand are made by then.
      if (step == steps / 4 / 500 * 500) {
        coordinator_start = coordinator;
        worker_start = worker;
      }
      coordinator_peak = std::max(coordinator_peak, coordinator);
      worker_peak = std::max(worker_peak, worker);
    }
  }
  fmt::print("  {} steps: coordinator {} -> {} KiB, worker {} -> {} KiB (after a quarter, peak)\n", steps,
             coordinator_start >> 10, coordinator_peak >> 10, worker_start >> 10, worker_peak >> 10);
  // An eighth, or 4 MiB, covers what malloc keeps for itself; a leak of one module per episode
  // (20 steps) would be a hundred times that.
  EXPECT_LT(coordinator_peak, coordinator_start + (4u << 20));
  EXPECT_LT(worker_peak, worker_start + std::max<std::uint64_t>(worker_start / 8, 4u << 20));
}

}  // namespace
}  // namespace ordo
