#include "engine/knowledge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/harvest_manifest.h"
#include "env/metric.h"
#include "recipe/recipe.h"
#include "support/files.h"
#include "tests/fakes/toy_session.h"

namespace ordo::engine {
namespace {

search::KnowledgeFile sample() {
  search::KnowledgeFile file;
  file.observation = "counters";
  file.programs = {{"a", {}, {9, 0, 0, 0}, {"dec"}, 0.5}};
  file.coresets = {{"count", {{"dec"}, {"enable", "dec"}}}};
  return file;
}

class KnowledgeTest : public testing::Test {
 protected:
  Result<search::Knowledge> load(const search::KnowledgeFile& file) {
    const std::string path = (dir_.path() / "k.json").string();
    EXPECT_TRUE(writeFile(path, search::writeKnowledge(file)));
    return loadKnowledge({path, ""}, backend_, fakes::toySpec(20, {"noop", "dec"}));
  }

  TempDir dir_ = *TempDir::create();
  fakes::ToyBackend backend_;
};

TEST_F(KnowledgeTest, ComesWithTheFeaturesOfTheProgram) {
  const auto knowledge = load(sample());
  ASSERT_TRUE(knowledge) << knowledge.error().message;
  EXPECT_EQ(knowledge->features, (std::vector<double>{20, 0, 0, 0}));
  EXPECT_EQ(knowledge->coresets.at("count"), (std::vector<search::Sequence>{{1}}));
}

TEST_F(KnowledgeTest, IsThatForTheKindOfTheProgram) {
  search::KnowledgeFile file = sample();
  file.kinds[std::string(kLinkonce)] = {{"count", {{"dec", "dec"}}}};
  EXPECT_EQ(load(file)->coreset("count").front(), search::Sequence{1});
  env::SessionSpec spec = fakes::toySpec(20, {"noop", "dec"});
  spec.program += " enabled";
  const std::string path = (dir_.path() / "k.json").string();
  EXPECT_EQ(loadKnowledge({path, ""}, backend_, spec)->coreset("count").front(), (search::Sequence{1, 1}));
}

TEST_F(KnowledgeTest, AKindIsToldByTheFunctionsOfAProgramAndItsMachine) {
  constexpr std::string_view kHere = "x86_64-pc-linux-gnu";
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 0, .tables = 20}, kHere), "");
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 2, .tables = 20}, kHere), kLinkonce);
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 1, .tables = 20}, kHere), "");
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 0, .tables = 1}, kHere), kTableless);
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 20, .tables = 0}, kHere), kLinkonce) << "which comes first";
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 0, .tables = 2}, kHere), "");
  EXPECT_EQ(kindOf({}, kHere), "") << "of no functions";
  const FunctionCounts bare{.all = 20, .linkonce = 0, .tables = 0};
  EXPECT_EQ(kindOf(bare, ""), kTableless) << "of a machine that nobody named";
  EXPECT_EQ(kindOf(bare, "thumbv7em-unknown-none-eabi"), kThumb);
  EXPECT_EQ(kindOf(bare, "armv7-unknown-linux-gnueabihf"), kTableless);
  EXPECT_EQ(kindOf(bare, "riscv32-unknown-unknown-elf"), kRiscv);
  EXPECT_EQ(kindOf(bare, "riscv64-unknown-linux-gnu"), kRiscv);
  EXPECT_EQ(kindOf({.all = 20, .linkonce = 0, .tables = 20}, "riscv64-unknown-linux-gnu"), "");
}

TEST_F(KnowledgeTest, AFileThatDoesNotFitIsRefused) {
  search::KnowledgeFile other = sample();
  other.programs[0].features.pop_back();
  EXPECT_EQ(load(other).error().code, ErrorCode::kInvalidArgument);
  other.observation = "text";
  EXPECT_EQ(load(other).error().code, ErrorCode::kInvalidArgument);
  other.observation = "nothing";
  EXPECT_EQ(load(other).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(load({})) << "nothing needs no features";
  EXPECT_EQ(loadKnowledge({"/proc/nonexistent/file", ""}, backend_, fakes::toySpec(1, {"dec"})).error().code,
            ErrorCode::kNotFound);
}

TEST_F(KnowledgeTest, ComesWithOrdoUnlessAnotherIsGiven) {
  EXPECT_EQ(knowledgePath("none"), "");
  EXPECT_EQ(knowledgePath("my/k.json"), "my/k.json");
  const std::string path = knowledgePath("shipped");
  const Result<std::string> text = readFile(path);
  ASSERT_TRUE(text) << text.error().message;
  const auto file = search::parseKnowledge(*text, path);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_GE(file->programs.size(), 50u);
  for (const char* objective : {"ir_instructions", "text_bytes"})
    EXPECT_GE(file->coresets.at(objective).size(), 10u);
  for (const std::string_view kind : {kLinkonce, kTableless})
    EXPECT_GE(file->kinds.at(std::string(kind)).at("text_bytes").size(), 10u) << kind;
}

TEST_F(KnowledgeTest, ForRunTimeAPolicyHasToBeNamed) {
  EXPECT_EQ(std::filesystem::path(policyPath("shipped", env::kTextBytes)).filename(), "size.safetensors");
  EXPECT_EQ(policyPath("shipped", env::kRuntime), "");
  EXPECT_EQ(policyPath("none", env::kRuntime), "");
  EXPECT_EQ(policyPath("mine.safetensors", env::kRuntime), "mine.safetensors");
}

TEST_F(KnowledgeTest, ACutOffPolicyIsSaidToBeOneWithTheRemedy) {
  const std::string path = (dir_.path() / "cut.safetensors").string();
  ASSERT_TRUE(writeFile(path, readFile(policyPath("shipped", "text_bytes"))->substr(0, 20000)));
  const auto policy = loadPolicy(path, {}, {});
  ASSERT_FALSE(policy);
  EXPECT_THAT(policy.error().message,
              testing::AllOf(testing::HasSubstr(path), testing::HasSubstr("is cut off"),
                             testing::HasSubstr("--no-policy")));
}

TEST_F(KnowledgeTest, WhatComesWithOrdoIsOfTrainingProgramsOnly) {
  const auto file = search::parseKnowledge(*readFile(knowledgePath("shipped")), "shipped");
  ASSERT_TRUE(file);
  const auto manifest = datasets::loadHarvestManifest(dataDir());
  ASSERT_TRUE(manifest) << manifest.error().message;
  for (const search::KnowledgeFile::Program& program : file->programs) {
    SCOPED_TRACE(program.uri);
    ASSERT_TRUE(program.uri.starts_with("debian/"));
    const std::string name = program.uri.substr(7, program.uri.find('/', 7) - 7);
    const datasets::HarvestPackage* package = manifest->find(name);
    ASSERT_NE(package, nullptr);
    EXPECT_EQ(package->split, datasets::Split::kTrain);
    EXPECT_EQ(package->reserved, "");
  }
}

}  // namespace
}  // namespace ordo::engine
