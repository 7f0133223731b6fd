#include "shell/command.h"

#include <gmock/gmock.h>

#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

class CommandTest : public testing::Test {
 protected:
  Call call(std::vector<std::string> words) {
    return {toy_.bench, style_, std::move(words), "usage", progress_, nullptr};
  }

  ToyBench toy_;
  Style style_;
  std::function<void(std::string_view)> progress_;
};

TEST_F(CommandTest, OptionsAreTakenOutOfTheWords) {
  Call one = call({"a", "--full", "b"});
  EXPECT_TRUE(one.take("--full"));
  EXPECT_FALSE(one.take("--full"));
  EXPECT_TRUE(one.expect(2, 2));
  EXPECT_FALSE(one.expect(0, 1));
  EXPECT_FALSE(one.expect(3, 4));
  EXPECT_FALSE(call({"--what"}).expect(0, 9));
}

TEST_F(CommandTest, NumbersBeginAtOne) {
  EXPECT_EQ(*call({}).number(0, 7), 7u);
  EXPECT_EQ(*call({"12"}).number(0, 7), 12u);
  for (const char* word : {"0", "-1", "x", "1x", "99999999999", ""})
    EXPECT_FALSE(call({word}).number(0, 7)) << word;
}

TEST_F(CommandTest, ActionsHaveNamesAndIndices) {
  EXPECT_EQ(*call({}).action("dec"), 1u);
  EXPECT_EQ(*call({}).action("1"), 1u);
  EXPECT_THAT(call({}).action("decc").error().message, testing::HasSubstr("did you mean 'dec'"));
  EXPECT_THAT(call({}).action("99").error().message, testing::HasSubstr("they are 0 to 8"));
}

TEST(FigureTest, WholeNumbersAreGroupedOthersRounded) {
  EXPECT_EQ(figure(12345), "12 345");
  EXPECT_EQ(figure(0.123456), "0.1235");
  EXPECT_EQ(figure(std::numeric_limits<double>::quiet_NaN()), "-");
}

}  // namespace
}  // namespace ordo::shell
