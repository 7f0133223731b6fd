// A program of C as clang -O3 begins with it, and an engine to try decisions about it with.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/reach.h"
#include "engine/replay.h"
#include "env/session.h"
#include "search/evaluation/evaluation.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::runtime {

class ProgramFixture : public engine::EngineFixture {
 protected:
  // The only action of spec_ is then the baseline.
  void load(std::string_view text) {
    const std::string path = (dir_.path() / "program.c").string();
    ASSERT_TRUE(writeFile(path, text));
    Result<engine::Input> input = engine::prepareInput(path, {frontend::Level::kO3, false}, {});
    ASSERT_TRUE(input) << input.error().message;
    input_ = *std::move(input);
    spec_ = {input_->program.uri, input_->compiled.bytes, {}, input_->settings()};
    spec_.actions = {engine::baselineAction(input_->baseline, input_->pipeline)};
  }

  std::vector<env::Action> named(const search::Sequence& sequence) const {
    std::vector<env::Action> actions;
    for (const env::ActionIndex index : sequence) actions.push_back(spec_.actions.at(index));
    return actions;
  }

  std::vector<std::string> names(const search::Sequence& sequence) const {
    std::vector<std::string> all;
    for (const env::Action& action : named(sequence)) all.push_back(action.name);
    return all;
  }

  // Expects that stock opt, with the plugin, makes the state of that hash.
  void expectStockMakes(const std::vector<env::Action>& actions, const Hash128& hash) {
    recipe::Recipe recipe;
    recipe.backend = engine_->info().name;
    recipe.backend_version = engine_->info().version;
    recipe.actions = actions;
    recipe.result_hash = hash;
    const Result<std::string> verified = engine::verifyWithStock(*engine_, *input_, recipe);
    EXPECT_TRUE(verified) << verified.error().message;
  }

  // The hash of what `sequence` leads to, which stock opt makes too.
  Hash128 hashOf(const search::Sequence& sequence) {
    const std::vector<env::Action> actions = named(sequence);
    const Result<engine::State> state = engine::reach(*engine_, *input_, spec_.program, actions);
    EXPECT_TRUE(state) << state.error().message;
    if (!state) return {};
    expectStockMakes(actions, state->hash);
    return state->hash;
  }

  TempDir dir_ = *TempDir::create();
  std::optional<engine::Input> input_;
  env::SessionSpec spec_;
};

}  // namespace ordo::runtime
