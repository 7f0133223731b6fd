// Random walks in many environments at once: no worker may be lost without a trace, memory must stay flat,
// and a session must be the same whether it was stepped, forked or replayed.
//
// CI runs a short version on the suite; ORDO_FULL=1 runs a million steps, over the programs named in
// ORDO_SOAK_PROGRAMS (a dataset or URI, such as dir:FOLDER or debian; the suite if absent).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "datasets/dataset.h"
#include "engine/engine.h"
#include "engine/program_library.h"
#include "env/vector_env.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/rng.h"
#include "tests/fakes/processes.h"

namespace ordo {
namespace {

bool full() { return std::getenv("ORDO_FULL") != nullptr; }

constexpr std::uint32_t kEnvironments = 4;
constexpr std::uint32_t kMaxSteps = 45;

template <typename T>
T must(Result<T> result) {
  ORDO_CHECK(result.has_value(), "{}", result.error().message);
  return *std::move(result);
}

// Files of more than ORDO_SOAK_MAX_KIB (all, if absent) are left out, so that steps are many.
std::vector<std::string> programUris() {
  const char* asked = std::getenv("ORDO_SOAK_PROGRAMS");
  const char* limit = std::getenv("ORDO_SOAK_MAX_KIB");
  datasets::ListOptions options;
  options.seed = 1;
  std::vector<std::string> uris = must(datasets::listPrograms(asked != nullptr ? asked : "suite", options));
  std::erase_if(uris, [&](const std::string& uri) {
    const std::filesystem::path file = must(datasets::loadProgram(uri)).path();
    return limit != nullptr && std::filesystem::file_size(file) > std::stoull(limit) << 10;
  });
  if (uris.size() > 2000) uris.resize(2000);
  return uris;
}

// A session of its own, elsewhere, that does what `session` did.
std::unique_ptr<env::Session> replay(env::Backend& backend, const env::Session& session) {
  auto copy = must(backend.open(session.spec()));
  const env::StepOutcome outcome = must(copy->apply(session.history()));
  EXPECT_TRUE(outcome.ok()) << outcome.detail;
  return copy;
}

TEST(EnvironmentSoakTest, RandomWalksLeaveNothingBehindAndReplay) {
  const std::uint64_t wanted = full() ? 1'000'000 : 8'000;
  const std::uint64_t check_every = full() ? 1000 : 100;
  std::vector<int> zygotes;
  std::map<std::string, int> failures;
  std::uint64_t steps = 0, episodes = 0, checked = 0, diverged_state = 0, diverged_next = 0, unverified = 0;
  std::set<std::int64_t> programs_seen;
  std::vector<std::uint64_t> coordinator_rss;
  std::uint64_t worker_rss_early = 0, worker_rss_late = 0;
  env::IsolationStats stats;
  std::size_t skipped = 0;
  {
    sandbox::Limits limits;
    limits.wall_s = limits.cpu_s = 20;
    const std::unique_ptr<engine::Engine> engine = must(engine::Engine::start({limits, false}));
    zygotes = childrenOf(::getpid());
    const spaces::Manifest manifest = must(spaces::loadManifest(ORDO_SOURCE_DIR "/data", engine->info()));
    // Whole pipelines would hide single passes behind their running time.
    std::set<std::string> composites;
    for (const spaces::ManifestRow& row : manifest.rows) {
      if (row.kind == spaces::RowKind::kComposite) composites.insert(row.name);
    }
    spaces::Space space = must(spaces::loadSpace(ORDO_SOURCE_DIR "/data", "full", manifest));
    ORDO_CHECK(space.unsafe.empty(), "the space full has unsafe actions");
    std::erase_if(space.actions, [&](const env::Action& action) { return composites.contains(action.name); });
    auto spec = std::make_shared<env::EpisodeSpec>();
    spec->backend = &engine->backend();
    spec->actions = space.actions;
    spec->safe.assign(space.actions.size(), 1);
    spec->max_steps = kMaxSteps;
    spec->stop_action = false;
    spec->mask_no_effect = false;
    spec->spin = false;
    spec->sensors = must(env::findSensors(env::allSensors(engine->info(), {}, 1, 0), {"autophase"}));
    engine::LibraryOptions library;
    library.values = {"ir_instructions/initial"};
    library.evaluation = false;
    library.cache_bytes = std::size_t{64} << 20;
    const auto programs = must(engine::ProgramLibrary::create(*engine, library));
    env::VectorSpec vector{.environments = kEnvironments, .batch = 1, .seed = 1, .programs = programUris()};
    const std::size_t program_count = vector.programs.size();
    const auto env = must(env::VectorEnv::create(spec, vector, programs.get()));

    std::vector<std::int64_t> row(56);
    std::int32_t id = 0;
    double reward = 0;
    std::uint8_t status = 0, truncated = 0, ending = 0;
    std::int64_t program = 0;
    env::Batch batch;
    batch.observations = {reinterpret_cast<std::byte*>(row.data())};
    batch.environments = &id;
    batch.rewards = &reward;
    batch.status = &status;
    batch.truncated = &truncated;
    batch.ending = &ending;
    batch.programs = &program;
    ORDO_CHECK(env->reset().has_value(), "the first reset failed");
    std::vector<Rng> rngs;
    for (std::uint32_t i = 0; i < kEnvironments; ++i) rngs.push_back(Rng(7).stream(i));
    std::vector<std::int64_t> last_action(kEnvironments, -1);
    while (steps < wanted) {
      const Result<std::uint32_t> received = env->recv(batch);
      ASSERT_TRUE(received.has_value()) << received.error().message;
      programs_seen.insert(program);
      const auto which = static_cast<std::size_t>(id);
      const auto outcome = static_cast<env::StepStatus>(status);
      if (outcome != env::StepStatus::kOk) {
        const bool at_end = static_cast<env::Ending>(ending) == env::Ending::kBroken;
        if (at_end) ++unverified;
        ++failures[fmt::format("{}: {}", env::name(outcome),
                               at_end ? "at the end of an episode" : spec->actions[last_action[which]].name)];
      }
      if (ending != 0) ++episodes;
      if (++steps % check_every == 0 && !env->episode(which).actions().empty()) {
        const env::Episode& episode = env->episode(which);
        const auto fork = must(episode.session().fork());
        const auto again = replay(engine->backend(), *fork);
        ++checked;
        if (must(again->stateHash()) != must(fork->stateHash())) {
          ++diverged_state;
          fmt::print("  {}: a replay differs:", episode.program().uri);
          for (const env::ActionIndex action : episode.actions())
            fmt::print(" {}", spec->actions[action].name);
          fmt::print("\n");
        }
        // From here the two must go the same way.
        const auto next = static_cast<env::ActionIndex>(rngs[which].below(spec->actions.size()));
        const env::StepReport one = must(fork->step({.actions = {next}, .hash = true}));
        const env::StepReport two = must(again->step({.actions = {next}, .hash = true}));
        if (one.hash != two.hash) {
          ++diverged_next;
          fmt::print("  {} after {} actions: {} differs in a fork\n", episode.program().uri,
                     episode.actions().size(), spec->actions[next].name);
        }
      }
      if (steps % (wanted / 20) == 0) {
        coordinator_rss.push_back(rssBytes(::getpid()));
        std::uint64_t largest = 0;
        for (const int worker : childrenOf(zygotes[0])) largest = std::max(largest, rssBytes(worker));
        (steps <= wanted / 4 ? worker_rss_early : worker_rss_late) =
            std::max(steps <= wanted / 4 ? worker_rss_early : worker_rss_late, largest);
        fmt::print("  {} steps, {} episodes, coordinator {} MiB, largest worker {} MiB\n", steps, episodes,
                   coordinator_rss.back() >> 20, largest >> 20);
        std::fflush(stdout);
      }
      const std::int64_t action = static_cast<std::int64_t>(rngs[which].below(spec->actions.size()));
      last_action[which] = action;
      const Status sent = env->send({&action, 1}, {&id, 1});
      ASSERT_TRUE(sent.has_value()) << sent.error().message;
    }
    stats = engine->backend().stats();
    skipped = env->skipped().size();
    for (std::size_t i = 0; i < std::min<std::size_t>(skipped, 5); ++i)
      fmt::print("  skipped {}: {}\n", env->skipped()[i].uri, env->skipped()[i].reason);
    fmt::print("  {} of {} programs seen, {} skipped\n", programs_seen.size(), program_count, skipped);
    EXPECT_GE(checked, steps / check_every / 2);
  }
  fmt::print("  {} steps, {} episodes; workers: {} started, {} died, {} recycled; {} sessions rebuilt\n",
             steps, episodes, stats.workers_started, stats.workers_died, stats.workers_recycled,
             stats.sessions_rebuilt);
  fmt::print(
      "  {} forks compared with replays: {} differed, {} after one more action; {} episodes did not verify\n",
      checked, diverged_state, diverged_next, unverified);
  for (const auto& [what, count] : failures) fmt::print("  {:6} x {}\n", count, what);

  EXPECT_EQ(diverged_state, 0u);
  EXPECT_EQ(diverged_next, 0u);
  // Flat: caches fill in the first quarter.
  EXPECT_LT(coordinator_rss.back(), coordinator_rss[coordinator_rss.size() / 4] + (std::uint64_t{32} << 20));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  for (const int zygote : zygotes) EXPECT_TRUE(childrenOf(zygote).empty());
  for (const int zygote : zygotes) EXPECT_NE(::access(fmt::format("/proc/{}", zygote).c_str(), F_OK), 0);
}

}  // namespace
}  // namespace ordo
