#include "builds/advice.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::builds {
namespace {

TEST(AdviceTest, NobodyAdvisesWhereNothingIsSaid) { EXPECT_EQ(*adviceOf(" "), ""); }

TEST(AdviceTest, IsOtherWithOtherWords) {
  EXPECT_NE(*adviceOf("usual"), *adviceOf("random:1"));
  EXPECT_NE(*adviceOf("random:1"), *adviceOf("random:2"));
  EXPECT_EQ(*adviceOf("random:1,race"), *adviceOf("random:1 race"));
}

TEST(AdviceTest, IsOtherWithOtherWeightsOfTheSameName) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "w.safetensors").string();
  ASSERT_TRUE(writeFile(file, "one"));
  const std::string before = *adviceOf(file);
  ASSERT_TRUE(writeFile(file, "two"));
  EXPECT_NE(*adviceOf(file), before);
}

TEST(AdviceTest, WeightsThatAreNotThereAreNamed) {
  for (const char* word : {"no-such", "/proc/nonexistent/w.safetensors"}) {
    const auto advice = adviceOf(word);
    ASSERT_FALSE(advice);
    EXPECT_EQ(advice.error().code, ErrorCode::kNotFound);
    EXPECT_NE(advice.error().message.find(word), std::string::npos) << advice.error().message;
  }
}

}  // namespace
}  // namespace ordo::builds
