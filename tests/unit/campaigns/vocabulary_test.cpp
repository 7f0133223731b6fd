#include "campaigns/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/files.h"
#include "support/json.h"

namespace ordo::campaigns {
namespace {

class TrainVocabularyTest : public testing::Test {
 protected:
  TrainVocabularyTest() : dir_(TempDir::create().value()) {
    options_.transe.dim = 8;
    options_.transe.epochs = 5;
    options_.progress = [](std::string_view) { return true; };
    options_.note = [this](std::string_view text) { notes_.emplace_back(text); };
    options_.inputs = {dir_.path().string()};
  }

  void write(const std::string& name, std::string_view text) {
    std::filesystem::create_directories((dir_.path() / name).parent_path());
    ASSERT_TRUE(writeFile(dir_.path() / name, text));
  }

  const TempDir dir_;
  VocabularyOptions options_;
  std::vector<std::string> notes_;
};

constexpr const char* kModule = R"(
define i32 @f(i32 %x, ptr %p) {
  %y = load i32, ptr %p
  %z = add i32 %x, %y
  ret i32 %z
}
)";

TEST_F(TrainVocabularyTest, FindsModulesInFoldersAndLeavesOutWhatIsNone) {
  write("a/good.ll", kModule);
  write("a/b/bad.ll", "this is not IR");
  write("a/readme.txt", "nor is this");
  const auto result = trainVocabulary(options_);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->modules, 1u);
  EXPECT_EQ(result->left_out, 1u);
  EXPECT_THAT(notes_, testing::ElementsAre(testing::HasSubstr("bad.ll is left out")));
  EXPECT_GT(result->triplets, result->distinct);
  const auto json = parseJson(result->json, "vocabulary");
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["Opcodes"].size() + (*json)["Types"].size() + (*json)["Arguments"].size(), 110u);
  EXPECT_EQ((*json)["Opcodes"]["Add"].size(), 8u);
  EXPECT_EQ(trainVocabulary(options_)->json, result->json);
}

TEST_F(TrainVocabularyTest, ANamedModuleThatIsNoneIsAnError) {
  write("bad.ll", "this is not IR");
  options_.inputs = {(dir_.path() / "bad.ll").string()};
  EXPECT_FALSE(trainVocabulary(options_));
}

TEST_F(TrainVocabularyTest, NoModulesAreAnErrorThatSaysWhatToName) {
  const auto result = trainVocabulary(options_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message, testing::HasSubstr("name .bc or .ll files"));
}

TEST_F(TrainVocabularyTest, WritesNothingIfItIsStopped) {
  write("good.ll", kModule);
  options_.progress = [](std::string_view text) { return !text.starts_with("epoch 2 "); };
  const auto result = trainVocabulary(options_);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->json.empty());
}

}  // namespace
}  // namespace ordo::campaigns
