#include "embedding/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace ordo::embedding {
namespace {

TEST(VocabularyTest, SortsEntitiesIntoTheSectionsThatLlvmReads) {
  const std::vector<std::string> names = {"Ret", "FloatTy", "Function", "FCMP_oeq", "ICMP_eq", "Add"};
  Rng rng(1);
  const Transe model(names.size(), 1, 3, rng);
  const auto json = parseJson(writeVocabulary(names, model), "vocabulary");
  ASSERT_TRUE(json) << json.error().message;
  const auto keys = [&](const char* section) {
    std::vector<std::string> found;
    for (const auto& [key, value] : (*json)[section].items()) found.push_back(key);
    return found;
  };
  EXPECT_EQ(json->size(), 3u);
  EXPECT_THAT(keys("Opcodes"), testing::ElementsAre("Ret", "Add"));
  EXPECT_THAT(keys("Types"), testing::ElementsAre("FloatTy"));
  EXPECT_THAT(keys("Arguments"), testing::ElementsAre("Function", "FCMP_oeq", "ICMP_eq"));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR((*json)["Opcodes"]["Add"][i].get<float>(), model.entity(5)[i], 5e-7);  // six digits
  }
}

}  // namespace
}  // namespace ordo::embedding
