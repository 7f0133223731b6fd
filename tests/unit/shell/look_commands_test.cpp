#include <gmock/gmock.h>

#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LookCommandsTest : public testing::Test {
 protected:
  LookCommandsTest() { EXPECT_FALSE(run("load toy:100").error); }

  Reply run(std::string_view line) { return interpreter_.run(line); }

  ToyBench toy_;
  Interpreter interpreter_{toy_.bench, {}};
};

TEST_F(LookCommandsTest, StateIsATableOfTheActionsSoFar) {
  run("apply halve-if-multiple-of-4 inc");
  EXPECT_EQ(run("state").text,
            "toy:100, space toys\n"
            "step  count    change    in all  against clang-Oz  action\n"
            "   0    100                             +100.00 %  (as given)\n"
            "   1     50  -50.00 %  -50.00 %            0.00 %  halve-if-multiple-of-4\n"
            "   2     51   +2.00 %  -49.00 %           +2.00 %  inc\n"
            "return 49 (reward count)\n");
  EXPECT_EQ(run("state").json["steps"].size(), 2u);
}

TEST_F(LookCommandsTest, ActionsAreFoundByAPartOfTheirName) {
  const Reply reply = run("actions even");
  EXPECT_EQ(reply.json["actions"].size(), 1u);
  EXPECT_THAT(run("actions 'd*n'").text, HasSubstr("dec-if-even"));
  run("try");
  EXPECT_THAT(run("actions").text, HasSubstr("50 count (-50.00 %)"));
  EXPECT_THAT(run("actions noop").text, HasSubstr("no effect"));
  EXPECT_TRUE(run("actions nonsense").error);
}

TEST_F(LookCommandsTest, ObservationsAreListedAndShown) {
  EXPECT_THAT(run("observations").text, HasSubstr("counters"));
  EXPECT_THAT(run("observations").text, Not(HasSubstr("count/initial")));
  EXPECT_THAT(run("observations /").text, HasSubstr("count/initial"));
  EXPECT_THAT(run("observe counters").text, HasSubstr("count  100"));
  EXPECT_THAT(run("observe counters").text, Not(HasSubstr("broken")));
  EXPECT_THAT(run("observe counters --all").text, HasSubstr("broken"));
  EXPECT_THAT(run("observe cuonters").error->message, HasSubstr("did you mean 'counters'"));
}

TEST_F(LookCommandsTest, MetricsAreMeasuredInThisState) {
  run("apply dec");
  EXPECT_THAT(run("measure count").text, HasSubstr("99"));
  EXPECT_TRUE(run("metrics").json.contains("cost"));
  EXPECT_THAT(run("measure cuont").error->message, HasSubstr("did you mean 'count'"));
}

TEST_F(LookCommandsTest, BaselinesStandBesideTheState) {
  EXPECT_EQ(run("baselines").text,
            "baseline      count  this state against it\n"
            "clang-O0         90               +11.11 %\n"
            "clang-Oz         50              +100.00 %\n"
            "(this state)    100\n");
}

TEST_F(LookCommandsTest, PlotDrawsTheMetric) {
  run("apply dec");
  EXPECT_THAT(run("plot").text, HasSubstr("count of toy:100"));
  EXPECT_EQ(run("plot").json["values"].size(), 2u);
}

}  // namespace
}  // namespace ordo::shell
