#include "builds/first_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/knowledge.h"
#include "recipe/order.h"
#include "support/files.h"

namespace ordo::builds {
namespace {

class FirstAnswerTest : public testing::Test {
 protected:
  std::string ask(std::string_view kind = "") {
    const Result<Target> target = targetOf(&cache_, task_, "clang");
    EXPECT_TRUE(target) << target.error().message;
    const Result<std::string> answer = firstAnswer(cache_, task_, *target, "clang", kind);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or("");
  }

  const TempDir dir_ = *TempDir::create();
  Cache cache_ = *Cache::open(dir_.path(), 1 << 20);
  Task task_{"a.c", "c", "a.o", frontend::Level::kOz, "text_bytes", {}};
};

TEST_F(FirstAnswerTest, IsAnOrderAndTheSameEachTime) {
  const std::string answer = ask();
  const Result<recipe::Order> order = recipe::readOrder(answer, "answer");
  ASSERT_TRUE(order) << order.error().message;
  EXPECT_FALSE(order->actions.empty());
  EXPECT_THAT(order->settings, testing::HasSubstr(R"("relocation":"pic")"));
  EXPECT_EQ(ask(), answer);
  // Of another clang nothing is remembered, and it is worked out anew.
  EXPECT_EQ(*firstAnswer(cache_, task_, *targetOf(&cache_, task_, "clang"), "another clang", ""), answer);
}

TEST_F(FirstAnswerTest, DependsOnTheKindOfProgramAndOnFlags) {
  const std::string answer = ask();
  EXPECT_NE(ask(engine::kLinkonce), answer);
  task_.flags = {"-fno-pic"};
  EXPECT_THAT(recipe::readOrder(ask(), "answer")->settings, testing::HasSubstr(R"("relocation":"static")"));
}

}  // namespace
}  // namespace ordo::builds
