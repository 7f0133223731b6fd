// Holds text_bytes from known functions (llvm/session/text_cache.h) to those of a whole object, on random
// walks through the states of every suite program; with ORDO_FULL=1 on more of them, through 200 of the
// programs named in ORDO_SOAK_PROGRAMS (a dataset or URI; the suite if absent).
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <array>
#include <cstdlib>

#include "datasets/dataset.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "llvm/session/text_cache.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/rng.h"

namespace ordo {
namespace {

class TextBytes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ir::initialiseTargets();
    engine_ = *engine::Engine::start();
    const auto manifest = spaces::loadManifest(ORDO_SOURCE_DIR "/data", engine_->info());
    ASSERT_TRUE(manifest) << manifest.error().message;
    space_ = *spaces::loadSpace(ORDO_SOURCE_DIR "/data", "size", *manifest);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  // Whether it could be opened.
  bool walk(const std::string& program, const std::string& level, std::size_t steps, std::uint64_t seed) {
    const auto input = engine::prepareInput(program, *engine::parseBaseline(level), {});
    if (!input) return false;
    auto session =
        engine_->backend().open({program, input->compiled.bytes, space_.actions, input->settings()});
    if (!session) return false;
    Rng rng(seed);
    session::TextCache cache(/*advance=*/1e6);
    std::unique_ptr<llvm::TargetMachine> machine;
    for (std::size_t i = 0; i < steps; ++i) {
      const auto action = static_cast<env::ActionIndex>(rng.below(space_.actions.size()));
      const auto outcome = (*session)->apply({&action, 1});
      EXPECT_TRUE(outcome) << outcome.error().message;
      if (!outcome || !outcome->ok()) return true;
      const auto verdict = (*session)->verify();
      if (!verdict || !verdict->ok()) return true;
      if (!(*session)->measure("text_bytes")) return true;  // emission kills: not in this process
      const std::string bitcode((*session)->observe("bitcode")->text());
      const ir::OwnedModule module = *ir::parse(bitcode, program);
      if (machine == nullptr) machine = *ir::makeTargetMachine(*module, {});
      const auto parts = cache.sizes(*module, [&]() -> const std::string& { return bitcode; }, *machine);
      if (!parts) continue;
      const ir::OwnedModule copy = *ir::parse(bitcode, program);
      const std::string object = *ir::emit(*copy, *machine, ir::EmitKind::kObject);
      const ir::ObjectSizes sizes = *ir::objectSizes(object);
      EXPECT_EQ(*parts, (ir::TextSizes{sizes.text, sizes.code}))
          << program << " " << level << " after " << i << " steps, the last " << space_.actions[action].name;
      ++states_;
    }
    return true;
  }

  static inline std::unique_ptr<engine::Engine> engine_;
  static inline spaces::Space space_;
  std::size_t states_ = 0;  // compared
};

TEST_F(TextBytes, OfPartsAreThoseOfTheWhole) {
  const bool full = std::getenv("ORDO_FULL") != nullptr;
  const char* named = std::getenv("ORDO_SOAK_PROGRAMS");
  datasets::ListOptions options;
  if (full) options = {.limit = 200, .seed = 1};
  const auto programs = datasets::listPrograms(full && named != nullptr ? named : "suite", options);
  ASSERT_TRUE(programs) << programs.error().message;
  // Functions for speed are aligned, those for size are not.
  const std::array levels{"clang-Oz", "clang-O2"};
  std::size_t opened = 0;
  std::uint64_t seed = 0;
  for (const std::string& program : *programs) {
    if (full)
      opened += walk(program, levels[seed % 2], 15, seed) && walk(program, levels[(seed + 1) % 2], 15, seed);
    if (!full) opened += walk(program, levels[seed % 2], 8, seed);
    ++seed;
  }
  EXPECT_EQ(opened, programs->size());
  EXPECT_GE(states_, (full ? 12 : 5) * programs->size());
  RecordProperty("states", static_cast<int>(states_));
}

}  // namespace
}  // namespace ordo
