#include <gmock/gmock.h>

#include "recipe/state.h"
#include "support/files.h"
#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class KeepCommandsTest : public testing::Test {
 protected:
  KeepCommandsTest() { EXPECT_FALSE(run("load toy:100").error); }

  Reply run(std::string_view line) { return interpreter_.run(line); }
  std::string path(const char* name) { return (dir_.path() / name).string(); }

  ToyBench toy_;
  Interpreter interpreter_{toy_.bench, {}};
  TempDir dir_ = *TempDir::create();
};

TEST_F(KeepCommandsTest, AStateIsReadBackFromEitherForm) {
  run("apply dec halve-if-multiple-of-4 dec");
  for (const char* name : {"a.json", "a.csv"}) {
    EXPECT_THAT(run("save " + path(name)).text, HasSubstr("ordo validate"));
    const std::vector<recipe::State> states = *recipe::parseStates(*readFile(path(name)), name);
    ASSERT_EQ(states.size(), 1u);
    EXPECT_EQ(states[0].program, "toy:100");
    EXPECT_EQ(states[0].level, "O3");
    EXPECT_THAT(states[0].actions, ElementsAre("dec", "halve-if-multiple-of-4", "dec"));
    EXPECT_EQ(states[0].value, 98);
    EXPECT_EQ(states[0].earned, 2);
  }
}

TEST_F(KeepCommandsTest, TheProgramItselfIsWrittenByItsSuffix) {
  run("apply dec");
  EXPECT_FALSE(run("save " + path("a.ll")).error);
  EXPECT_EQ(*readFile(path("a.ll")), "toy 99 seed 7");
  EXPECT_TRUE(run("save " + path("a.bc")).error) << "the toy has no bitcode";
  EXPECT_TRUE(run("save /proc/nonexistent/a.json").error);
}

TEST_F(KeepCommandsTest, TheRecipeIsOfStockTools) {
  run("apply dec");
  EXPECT_EQ(run("recipe").text, "# The same object, made with stock tools:\ncompile toy:100\nrun dec\n");
}

}  // namespace
}  // namespace ordo::shell
