// What is shipped was made with actions that are shipped: weights, experience and knowledge are of a
// beginning of the space that they name, so that an action that is put anywhere but at the end of one shows
// here.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/knowledge.h"
#include "env/choices.h"
#include "experience/reader.h"
#include "policy/policy.h"
#include "search/knowledge/knowledge.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"

namespace ordo {
namespace {

const std::filesystem::path kData = ORDO_SOURCE_DIR "/data";

// The files of a folder of data/ that end in `extension`.
std::vector<std::filesystem::path> shipped(const char* folder, const char* extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kData / folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  return files;
}

class Shipped : public testing::Test {
 protected:
  void SetUp() override {
    engine_ = *engine::Engine::start();
    manifest_ = *spaces::loadManifest(kData, engine_->info());
  }

  void expectBeginning(const std::filesystem::path& file, const std::string& name,
                       const Hash128& hash) const {
    const Result<spaces::Space> space = spaces::loadSpace(kData, name, manifest_);
    ASSERT_TRUE(space.has_value()) << file << ": " << space.error().message;
    const Result<spaces::Space> known = spaces::beginning(*space, hash);
    EXPECT_TRUE(known.has_value()) << file << ": " << known.error().message;
  }

  std::unique_ptr<engine::Engine> engine_;
  spaces::Manifest manifest_;
};

TEST_F(Shipped, ExperienceIsOfABeginningOfItsSpace) {
  const std::vector<std::filesystem::path> files = shipped("experience", ".jsonl");
  ASSERT_FALSE(files.empty());
  for (const std::filesystem::path& file : files) {
    const Result<experience::Reader> reader = experience::Reader::open(file);
    ASSERT_TRUE(reader.has_value()) << reader.error().message;
    expectBeginning(file, reader->header().space, reader->header().space_hash);
  }
}

TEST_F(Shipped, WeightsAreOfABeginningOfTheirSpace) {
  int policies = 0;
  for (const std::filesystem::path& file : shipped("policy", ".safetensors")) {
    // Those of kernels choose among schedules, which are in no space.
    if (file.stem() == "kernels") continue;
    const Result<policy::Policy> policy = policy::Policy::load(file);
    ASSERT_TRUE(policy.has_value()) << policy.error().message;
    expectBeginning(file, policy->info().space, policy->info().space_hash);
    ++policies;
  }
  EXPECT_GT(policies, 0);
}

TEST_F(Shipped, KnowledgeIsOfABeginningOfItsSpace) {
  const std::vector<std::filesystem::path> files = shipped("knowledge", ".json");
  ASSERT_FALSE(files.empty());
  for (const std::filesystem::path& file : files) {
    if (file.filename() == "functions.json") continue;  // of functions, and of no space
    const Result<std::string> text = readFile(file);
    ASSERT_TRUE(text.has_value()) << text.error().message;
    const auto known = search::parseKnowledge(*text, file.string());
    ASSERT_TRUE(known.has_value()) << known.error().message;
    expectBeginning(file, known->space, known->space_hash);
  }
}

// A search begins with them, so each has to be one for this compiler.
TEST_F(Shipped, SequencesOfFunctionsCanBeGivenToAFunction) {
  const Result<search::FunctionSequences> mined =
      engine::loadFunctionSequences({engine::knowledgePath("shipped"), ""}, engine_->info());
  ASSERT_TRUE(mined.has_value()) << mined.error().message;
  ASSERT_FALSE(mined->tracks.empty());
  for (const auto& [track, sequences] : mined->tracks) {
    EXPECT_FALSE(sequences.empty()) << track;
    for (const search::MinedSequence& each : sequences) {
      const env::Action action = env::choose({{"", each.text}, {{"f", 1}}});
      const auto session =
          engine_->backend().open({"one",
                                   "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @f(i32 %x) minsize "
                                   "optsize {\n  %y = add i32 %x, 0\n  ret i32 %y\n}\n",
                                   {action}});
      ASSERT_TRUE(session.has_value()) << session.error().message;
      const std::array<env::ActionIndex, 1> all{0};
      const auto outcome = (*session)->apply(all);
      ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
      EXPECT_TRUE(outcome->ok()) << each.text << ": " << outcome->detail;
    }
  }
}

}  // namespace
}  // namespace ordo
