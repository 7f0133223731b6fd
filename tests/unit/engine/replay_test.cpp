#include "engine/replay.h"

#include <gtest/gtest.h>

#include "engine/reach.h"
#include "notation/action.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::engine {
namespace {

class ReplayTest : public EngineFixture {
 protected:
  Input inputFor(const Baseline& baseline, std::string_view text = kSmallProgram) {
    EXPECT_TRUE(writeFile(dir_.path() / "words.c", text));
    Result<Input> input = prepareInput((dir_.path() / "words.c").string(), baseline, {});
    EXPECT_TRUE(input) << input.error().message;
    return *std::move(input);
  }

  // That applies one pipeline to `input`.
  recipe::Recipe recipeFor(const Input& input, const std::string& pipeline) {
    recipe::Recipe recipe;
    recipe.backend = engine_->info().name;
    recipe.backend_version = engine_->info().version;
    recipe.program_hash = reach(*engine_, input, input.compiled.bytes, {})->hash;
    recipe.actions = {{pipeline, notation::kPipeline, pipeline}};
    return recipe;
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(ReplayTest, FollowsARecipeOnItsProgramAndOnNoOther) {
  const Input input = inputFor({});
  const recipe::Recipe recipe = recipeFor(input, "function(sroa<modify-cfg>)");
  const Result<Replayed> replayed = replay(*engine_, input, recipe);
  ASSERT_TRUE(replayed) << replayed.error().message;
  EXPECT_EQ(replayed->hash, reach(*engine_, input, input.compiled.bytes, recipe.actions)->hash);

  const Result<Replayed> other = replay(*engine_, inputFor({}, "int main(void) { return 0; }\n"), recipe);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
  recipe::Recipe old = recipe;
  old.backend_version = "21.1.0";
  EXPECT_EQ(replay(*engine_, input, old).error().code, ErrorCode::kUnsupported);
}

TEST_F(ReplayTest, AForgedRecipeDoesNotVerify) {
  const Input input = inputFor({});
  recipe::Recipe recipe = recipeFor(input, "function(sroa<modify-cfg>)");
  recipe.result_hash = replay(*engine_, input, recipe)->hash;
  EXPECT_TRUE(verifyWithStock(*engine_, input, recipe));
  recipe.result_hash.low ^= 1;
  const Result<std::string> verified = verifyWithStock(*engine_, input, recipe);
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code, ErrorCode::kCorrupt);
}

// Anybody can write a recipe of the first format, and what it asks for need not be possible.
TEST_F(ReplayTest, ARecipeThatCannotBeFollowedIsCorruptUnlessItWasSealed) {
  const Input input = inputFor({});
  recipe::Recipe recipe = recipeFor(input, "function(gvm)");
  const Result<Replayed> nonsense = replay(*engine_, input, recipe);
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().code, ErrorCode::kCorrupt) << nonsense.error().message;
  recipe.sealed = true;
  EXPECT_EQ(replay(*engine_, input, recipe).error().code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace ordo::engine
