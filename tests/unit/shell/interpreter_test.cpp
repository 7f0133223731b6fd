#include "shell/interpreter.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/shell/toy_bench.h"

namespace ordo::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InterpreterTest : public testing::Test {
 protected:
  ToyBench toy_;
  Interpreter interpreter_{toy_.bench, {}};
};

TEST(SplitWordsTest, WordsMayBeQuotedAndCommentsEndTheLine) {
  EXPECT_THAT(*splitWords("  apply a\tb "), ElementsAre("apply", "a", "b"));
  EXPECT_THAT(*splitWords("load 'a b.c' \"c d\"e # and so on"), ElementsAre("load", "a b.c", "c de"));
  EXPECT_THAT(*splitWords("apply a#b ''"), ElementsAre("apply", "a#b", ""));
  EXPECT_THAT(*splitWords("# nothing"), IsEmpty());
  EXPECT_FALSE(splitWords("load 'a"));
}

TEST(CatalogTest, CommandsHaveUniqueNamesAndSummariesThatFitOnALine) {
  std::set<std::string_view> names;
  for (const ShellCommand& command : catalog()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_FALSE(command.summary.ends_with('.')) << command.name;
    EXPECT_LE(command.summary.size(), 65u) << command.name;
  }
}

TEST_F(InterpreterTest, ABeginningIsEnoughIfNoOtherCommandHasIt) {
  EXPECT_EQ((*interpreter_.find("ap"))->name, "apply");
  EXPECT_EQ((*interpreter_.find("observe"))->name, "observe") << "although another begins the same";
  EXPECT_THAT(interpreter_.find("re").error().message, HasSubstr("could be reset, recipe"));
  EXPECT_THAT(interpreter_.find("aply").error().message, HasSubstr("did you mean 'apply'"));
  EXPECT_THAT(interpreter_.find("xyzzyxyzzy").error().message, HasSubstr("'help'"));
}

TEST_F(InterpreterTest, SaysWhatIsMissing) {
  EXPECT_THAT(interpreter_.run("plot").error->message, HasSubstr("try 'load"));
  EXPECT_FALSE(interpreter_.run("load toy:100").error);
  EXPECT_THAT(interpreter_.run("apply").error->message, HasSubstr("write 'apply ACTION...'"));
  EXPECT_THAT(interpreter_.run("apply 'x").error->message, HasSubstr("quote"));
  EXPECT_FALSE(interpreter_.run("").error);
  EXPECT_FALSE(interpreter_.run("  # a comment").error);
}

TEST_F(InterpreterTest, HelpKnowsEveryCommand) {
  const std::string text = interpreter_.run("help").text;
  for (const ShellCommand& command : catalog()) {
    EXPECT_THAT(text, HasSubstr(std::string(command.name)));
    EXPECT_FALSE(interpreter_.run(fmt::format("help {}", command.name)).error) << command.name;
  }
  EXPECT_TRUE(interpreter_.run("help nonsense").error);
}

TEST_F(InterpreterTest, QuitEnds) {
  EXPECT_FALSE(interpreter_.finished());
  interpreter_.run("q");
  EXPECT_TRUE(interpreter_.finished());
}

TEST_F(InterpreterTest, CompletesWhatTheCommandTakes) {
  EXPECT_THAT(interpreter_.complete("ob").words, ElementsAre("observations", "observe"));
  const Completion action = interpreter_.complete("apply noop dec");
  EXPECT_EQ(action.begin, 11u);
  EXPECT_THAT(action.words, ElementsAre("dec", "dec-if-even"));
  EXPECT_THAT(interpreter_.complete("measure c").words, ElementsAre("cost", "count"));
  EXPECT_THAT(interpreter_.complete("help unde").words, IsEmpty());
  EXPECT_THAT(interpreter_.complete("nonsense a").words, IsEmpty());
  EXPECT_THAT(interpreter_.complete("plot ").words, IsEmpty());
}

TEST_F(InterpreterTest, ThePromptSaysWhereOneIs) {
  EXPECT_EQ(interpreter_.prompt(), "ordo> ");
  interpreter_.run("load toy:100");
  EXPECT_EQ(interpreter_.prompt(), "toy:100 100 count> ");
}

}  // namespace
}  // namespace ordo::shell
