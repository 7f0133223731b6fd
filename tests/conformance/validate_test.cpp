// Random walks over programs that can be run, recorded as states and validated: every state that the
// engine reaches with safe actions must be what it says, and must do what the program does.
//
// CI runs a few; ORDO_FULL=1 walks over the whole suite and 20 programs of csmith in two spaces.
#include "check/validate.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "datasets/dataset.h"
#include "support/rng.h"

namespace ordo {
namespace {

std::vector<std::string> programs(bool full) {
  std::vector<std::string> uris;
  const auto suite = datasets::listPrograms(std::string("dir:") + ORDO_SOURCE_DIR "/suite", {});
  EXPECT_TRUE(suite) << suite.error().message;
  for (const std::string& uri : *suite) {
    if (full || uri.ends_with("/json") || uri.ends_with("/eventsim")) uris.push_back(uri);
  }
  const auto random = datasets::listPrograms("csmith", {.limit = full ? 20 : 2});
  if (random) uris.insert(uris.end(), random->begin(), random->end());
  return uris;
}

TEST(Validate, EveryStateThatSafeActionsReachIsWhatItSays) {
  const bool full = std::getenv("ORDO_FULL") != nullptr;
  const std::filesystem::path data = ORDO_SOURCE_DIR "/data";
  const auto engine = *engine::Engine::start({{}, false});
  const auto manifest = *spaces::loadManifest(data, engine->info());
  const auto validator = *check::Validator::create(*engine, data, {});
  const auto library = *engine::ProgramLibrary::create(
      *engine, {.values = {"ir_instructions/initial", "ir_instructions/clang-Oz"}});
  std::size_t states = 0, ran = 0;
  std::map<std::string, std::size_t> skipped;
  for (const std::string& uri : programs(full)) {
    const auto program = library->load(uri);
    ASSERT_TRUE(program) << program.error().message;
    for (const char* const name : {"size", "oz-pieces"}) {
      const spaces::Space space = *spaces::loadSpace(data, name, manifest);
      const auto session =
          *engine->backend().open({uri, (*program)->program, space.actions, (*program)->settings});
      recipe::State state;
      state.program = uri;
      state.program_hash = (*program)->hash;
      state.space = name;
      state.space_hash = space.hash;
      state.metric = "ir_instructions";
      state.reward = "ir_instructions/initial";
      Rng rng = Rng(1).stream(states);
      for (int step = 0; step < 15; ++step) {
        const auto action = static_cast<env::ActionIndex>(rng.below(space.actions.size()));
        const auto outcome = session->apply({&action, 1});
        ASSERT_TRUE(outcome) << outcome.error().message;
        if (outcome->ok()) state.actions.push_back(space.actions[action].name);
      }
      const auto measured = session->measure("ir_instructions");
      // C++ that still calls what exists nowhere else is no program yet.
      if (measured->status == env::StepStatus::kExportsChanged) continue;
      ASSERT_TRUE(measured->ok()) << uri << ": " << measured->detail;
      state.value = measured->value;
      const double initial = (*program)->values.at("ir_instructions/initial");
      state.earned = (initial - state.value) / initial;
      const auto validation = validator->validate(state);
      ASSERT_TRUE(validation) << validation.error().message;
      ++states;
      for (const check::Check& check : validation->checks) {
        EXPECT_NE(check.verdict, check::Verdict::kFailed) << check.name << ": " << check.detail << "\n"
                                                          << recipe::writeStateJson(state);
        if (check.verdict == check::Verdict::kSkipped) ++skipped[check.name + ": " + check.detail];
        if (check.name == "output" && check.verdict == check::Verdict::kPassed) ++ran;
      }
    }
  }
  fmt::print("{} states, {} of them run\n", states, ran);
  for (const auto& [reason, count] : skipped) fmt::print("  skipped {} times: {}\n", count, reason);
  EXPECT_GT(ran, 0u);
}

}  // namespace
}  // namespace ordo
