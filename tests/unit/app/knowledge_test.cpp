#include "app/knowledge.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "tests/fakes/toy_session.h"

namespace ordo::app {
namespace {

search::KnowledgeFile sample() {
  search::KnowledgeFile file;
  file.observation = "counters";
  file.programs = {{"a", {}, {9, 0, 0, 0}, {"dec"}, 0.5}};
  file.coreset = {{"dec"}, {"enable", "dec"}};
  return file;
}

class KnowledgeTest : public testing::Test {
 protected:
  Result<search::Knowledge> load(const search::KnowledgeFile& file) {
    const std::string path = (dir_.path() / "k.json").string();
    EXPECT_TRUE(writeFile(path, search::writeKnowledge(file)));
    return loadKnowledge(path, backend_, fakes::toySpec(20, {"noop", "dec"}));
  }

  TempDir dir_ = *TempDir::create();
  fakes::ToyBackend backend_;
};

TEST_F(KnowledgeTest, ComesWithTheFeaturesOfTheProgram) {
  const auto knowledge = load(sample());
  ASSERT_TRUE(knowledge) << knowledge.error().message;
  EXPECT_EQ(knowledge->features, (std::vector<double>{20, 0, 0, 0}));
  EXPECT_EQ(knowledge->coreset, (std::vector<search::Sequence>{{1}}));
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
  EXPECT_EQ(loadKnowledge("/no/such/file", backend_, fakes::toySpec(1, {"dec"})).error().code,
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::app
