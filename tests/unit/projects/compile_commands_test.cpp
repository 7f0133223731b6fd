#include "projects/compile_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::projects {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> wordsOf(const std::string& command) {
  const auto commands =
      parseCompileCommands(R"([{"directory": "/p", "file": "a.c", "command": ")" + command + "\"}]", "db");
  EXPECT_TRUE(commands) << commands.error().message;
  return commands ? commands->front().words : std::vector<std::string>{};
}

TEST(CompileCommandsTest, BothFormsAreRead) {
  const auto commands = parseCompileCommands(R"([
    {"directory": "/p", "file": "a.c", "arguments": ["clang", "-DX=a b", "-c", "a.c"], "output": "a.o"},
    {"directory": "/p/sub", "file": "b.c", "command": "clang -c b.c"}])",
                                             "db");
  ASSERT_TRUE(commands) << commands.error().message;
  ASSERT_EQ(commands->size(), 2u);
  EXPECT_THAT((*commands)[0].words, ElementsAre("clang", "-DX=a b", "-c", "a.c"));
  EXPECT_EQ((*commands)[1].folder, "/p/sub");
  EXPECT_THAT((*commands)[1].words, ElementsAre("clang", "-c", "b.c"));
  EXPECT_TRUE(parseCompileCommands("[]", "db")->empty());
}

TEST(CompileCommandsTest, QuotesAndBackslashesAreAShells) {
  EXPECT_THAT(wordsOf(R"(cc  -DA='x y' \t-DB=\"x y\" a\\ b)"),
              ElementsAre("cc", "-DA=x y", "-DB=x y", "a b"));
  EXPECT_THAT(wordsOf(R"(cc '' -DV=\\\"1\\\" \"a\\\\b\\n\")"), ElementsAre("cc", "", "-DV=\"1\"", "a\\b\\n"));
  EXPECT_THAT(wordsOf("cc $HOME (x)"), ElementsAre("cc", "$HOME", "(x)"));
}

TEST(CompileCommandsTest, WhatIsMalformedIsNamed) {
  const auto errorOf = [](std::string_view text) {
    const auto commands = parseCompileCommands(text, "db.json");
    EXPECT_FALSE(commands) << text;
    return commands ? Error{} : commands.error();
  };
  for (const std::string_view text :
       {"", "[", "{}", "7", "[7]", "[{}]", R"([{"directory": "/p", "file": "a.c"}])",
        R"([{"directory": 7, "command": "cc"}])", R"([{"directory": "/p", "command": ["cc"]}])",
        R"([{"directory": "/p", "arguments": "cc"}])", R"([{"directory": "/p", "arguments": [1]}])",
        R"([{"directory": "/p", "command": "  "}])"}) {
    EXPECT_EQ(errorOf(text).code, ErrorCode::kCorrupt) << text;
    EXPECT_THAT(errorOf(text).message, HasSubstr("db.json"));
  }
  EXPECT_THAT(
      errorOf(R"([{"directory": "/p", "command": "cc"}, {"directory": "/p", "command": "cc 'x"}])").message,
      testing::AllOf(HasSubstr("entry 2"), HasSubstr("quote")));
}

}  // namespace
}  // namespace ordo::projects
