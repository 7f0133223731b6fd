#include "agent/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::agent {
namespace {

using testing::HasSubstr;

TEST(ModelTest, ASpecificationSaysWhereTheModelIs) {
  EXPECT_THAT(openModel("gpt", {}).error().message, HasSubstr("openai:URL#NAME"));
  for (const char* spec :
       {"openai:", "openai:http://127.0.0.1/v1", "openai:ftp://x#y", "openai:http://127.0.0.1/v1#"})
    EXPECT_EQ(openModel(spec, {}).error().code, ErrorCode::kInvalidArgument) << spec;
  const auto model = openModel("openai:http://127.0.0.1:1/v1#tiny", {});
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->name(), "tiny");
}

}  // namespace
}  // namespace ordo::agent
