#include "loop/service/recipes.h"

#include <gtest/gtest.h>

#include "recipe/recipe.h"
#include "support/files.h"

namespace ordo::loop {
namespace {

recipe::Recipe recipeOf(const std::string& source) {
  recipe::Recipe recipe;
  recipe.program = "p";
  recipe.source = source;
  recipe.language = "c";
  recipe.program_hash = hashBytes(source);
  recipe.baseline = "clang-Oz";
  recipe.objective = "text_bytes";
  recipe.figures = {{"text_bytes", 10, 10, 9}};
  recipe.actions = {{"sroa", "pipeline", "sroa"}};
  recipe.backend = "llvm";
  recipe.backend_version = "22.1.8";
  recipe.space = "text";
  return recipe;
}

class LoopRecipesTest : public testing::Test {
 protected:
  void write(const std::string& name, const recipe::Recipe& recipe) {
    ASSERT_TRUE(writeFile(dir_.path() / name, recipe::write(recipe)));
  }
  void use(const std::vector<std::string>& names) {
    settings_.recipes["a"].clear();
    for (const std::string& name : names) settings_.recipes["a"].push_back(dir_.path() / name);
  }

  TempDir dir_ = *TempDir::create();
  Settings settings_;
};

TEST_F(LoopRecipesTest, AreSequencesByCandidate) {
  EXPECT_TRUE(sequencesOf(settings_)->empty());
  write("x", recipeOf("x.c"));
  write("y", recipeOf("y.c"));
  use({"x", "y"});
  const auto all = sequencesOf(settings_);
  ASSERT_TRUE(all) << all.error().message;
  const auto sequences = *parseSequences(all->at("a"), "a");
  ASSERT_EQ(sequences.size(), 2u);
  EXPECT_EQ(sequences[1].source, "y.c");
  EXPECT_EQ(sequences[1].actions, (std::vector<std::string>{"sroa"}));
  EXPECT_EQ(sequences[1].program, hashBytes("y.c"));
}

TEST_F(LoopRecipesTest, WhatIsNoneIsSaid) {
  use({"absent"});
  EXPECT_EQ(sequencesOf(settings_).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(writeFile(dir_.path() / "x", "{}"));
  use({"x"});
  EXPECT_EQ(sequencesOf(settings_).error().code, ErrorCode::kCorrupt);
  write("x", recipeOf("x.c"));
  use({"x", "x"});
  EXPECT_EQ(sequencesOf(settings_).error().code, ErrorCode::kCorrupt) << "one module twice";
  recipe::Recipe bare = recipeOf("x.c");
  bare.prepare = bare.actions;
  write("x", bare);
  use({"x"});
  EXPECT_EQ(sequencesOf(settings_).error().code, ErrorCode::kUnsupported);
  std::error_code ignored;
  std::filesystem::resize_file(dir_.path() / "x", 9 << 20, ignored);
  EXPECT_EQ(sequencesOf(settings_).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::loop
