#include <gmock/gmock.h>

#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

using ::testing::HasSubstr;

class IrCommandsTest : public testing::Test {
 protected:
  IrCommandsTest() { EXPECT_FALSE(run("load toy:100").error); }

  Reply run(std::string_view line) { return interpreter_.run(line); }

  ToyBench toy_;
  Interpreter interpreter_{toy_.bench, {}};
};

TEST_F(IrCommandsTest, DiffShowsWhatTheLastActionDid) {
  EXPECT_THAT(run("diff").error->message, HasSubstr("no action"));
  run("apply dec");
  EXPECT_EQ(run("diff").text,
            "outside of functions  -1 +1\n"
            "@@ -1,1 +1,1 @@\n"
            "-toy 100 seed 7\n"
            "+toy 99 seed 7\n");
  run("apply noop");
  EXPECT_THAT(run("diff").text, HasSubstr("nothing that can be seen"));
}

TEST_F(IrCommandsTest, DiffOfAnActionDoesNotApplyIt) {
  EXPECT_THAT(run("diff inc").text, HasSubstr("+toy 101 seed 7"));
  EXPECT_EQ(toy_.bench.actions().size(), 0u);
  EXPECT_THAT(run("diff crash").error->message, HasSubstr("crash"));
}

TEST_F(IrCommandsTest, TheTextIsThatOfTheState) {
  EXPECT_EQ(run("ir").text, "toy 100 seed 7\n");
  EXPECT_THAT(run("ir main").error->message, HasSubstr("unknown function"));
  EXPECT_FALSE(run("functions").error);
}

}  // namespace
}  // namespace ordo::shell
