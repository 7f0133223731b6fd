#include <gmock/gmock.h>

#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ChangeCommandsTest : public testing::Test {
 protected:
  ChangeCommandsTest() { EXPECT_FALSE(run("load toy:100").error); }

  Reply run(std::string_view line) { return interpreter_.run(line); }

  ToyBench toy_;
  Interpreter interpreter_{toy_.bench, {}};
};

TEST_F(ChangeCommandsTest, LoadSaysWhatItFound) {
  const Reply reply = run("load toy:64");
  EXPECT_EQ(reply.text, "toy:64: 64 count, 32 after clang-Oz\n");
  EXPECT_EQ(reply.json["reference"]["metric"], 32);
  EXPECT_EQ(run("load nowhere").error->code, ErrorCode::kNotFound);
}

TEST_F(ChangeCommandsTest, ApplyShowsEachAction) {
  const Reply reply = run("apply dec noop 4 inc");
  EXPECT_EQ(reply.text,
            "1   99    -1.00 %  dec\n"
            "2   99  no effect  noop\n"
            "3   99  no effect  halve-if-multiple-of-4\n"
            "4  100    +1.01 %  inc\n");
}

TEST_F(ChangeCommandsTest, ApplyStopsWhereSomethingFails) {
  const Reply reply = run("apply dec crash dec");
  ASSERT_TRUE(reply.error);
  EXPECT_THAT(reply.error->message, HasSubstr("crash"));
  EXPECT_THAT(reply.text, HasSubstr("undone"));
  EXPECT_EQ(reply.json["steps"].size(), 2u);
  EXPECT_EQ(toy_.bench.metrics().back(), 99);
}

TEST_F(ChangeCommandsTest, NothingIsAppliedIfANameIsWrong) {
  EXPECT_THAT(run("apply dec ddec").error->message, HasSubstr("did you mean 'dec'"));
  EXPECT_EQ(toy_.bench.actions().size(), 0u);
}

TEST_F(ChangeCommandsTest, UndoAndResetGoBack) {
  run("apply dec dec dec");
  EXPECT_EQ(run("undo").text, "toy:100 after 2 actions: 98 count\n");
  EXPECT_THAT(run("undo 5").error->message, HasSubstr("only 2 actions"));
  EXPECT_EQ(run("reset").text, "toy:100 after 0 actions: 100 count\n");
}

TEST_F(ChangeCommandsTest, TryShowsTheBestFirstAndCountsTheRest) {
  const Reply reply = run("try 2");
  EXPECT_THAT(reply.text, HasSubstr("    4     50    50  -50.00 %  halve-if-multiple-of-4\n"
                                    "    3     98     2   -2.00 %  dec-if-even\n"));
  EXPECT_THAT(reply.text, Not(HasSubstr("  dec\n"))) << "two rows were asked for";
  EXPECT_THAT(reply.text,
              HasSubstr("9 tried: 3 better, 0 as good but different, 2 worse, 1 without effect, 3 failed"));
  EXPECT_EQ(reply.json["trials"].size(), 9u);
}

TEST_F(ChangeCommandsTest, GreedyEndsWhereNothingHelps) {
  run("load toy:8");
  const Reply reply = run("greedy");
  EXPECT_THAT(reply.text, HasSubstr("no single action makes it better"));
  EXPECT_EQ(toy_.bench.metrics().back(), 1);
  run("reset");
  EXPECT_THAT(run("greedy 1").text, HasSubstr("stopped after 1 step"));
  EXPECT_EQ(toy_.bench.actions().size(), 1u);
}

TEST_F(ChangeCommandsTest, AnInterruptEndsGreedyAndRandom) {
  toy_.stop = true;
  EXPECT_THAT(run("greedy").text, HasSubstr("interrupted"));
  EXPECT_THAT(run("random 5").text, HasSubstr("interrupted"));
  EXPECT_THAT(run("apply dec").error->message, HasSubstr("interrupted"));
  EXPECT_EQ(toy_.bench.actions().size(), 0u);
}

TEST_F(ChangeCommandsTest, RandomAppliesWhatDoesSomething) {
  const Reply reply = run("random 10");
  EXPECT_THAT(reply.text, Not(HasSubstr("no effect")));
  EXPECT_EQ(reply.json["steps"].size(), 10u);
  const std::vector<env::ActionIndex> first = toy_.bench.actions();
  ToyBench again;
  Interpreter other(again.bench, {});
  other.run("load toy:100");
  other.run("random 10");
  EXPECT_EQ(again.bench.actions(), first) << "the same seed";
}

}  // namespace
}  // namespace ordo::shell
