#include "agent/remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "notation/action.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::agent {
namespace {

TEST(RemarksTest, AMessageIsPutTogetherOfItsParts) {
  EXPECT_EQ(
      parseRemarks(R"(--- !Missed
Pass:            inline
Name:            NoDefinition
DebugLoc:        { File: 'a.c', Line: 3, Column: 5 }
Function:        main
Args:
  - Callee:          puts
  - String:          ' will not be inlined into '
  - Caller:          main
    DebugLoc:        { File: 'a.c', Line: 1, Column: 0 }
  - String:          ' because its "definition" isn''t there'
...
--- !Analysis
Pass:            'prologepilog'
Function:        f
Args:
  - String:          "a\tb\"c"
...
)"),
      (std::vector<Remark>{{"missed", "inline", "main",
                            R"(puts will not be inlined into main because its "definition" isn't there)"},
                           {"analysis", "prologepilog", "f", "a\tb\"c"}}));
}

TEST(RemarksTest, ALongValueGoesOnInTheNextLine) {
  const std::vector<Remark> remarks =
      parseRemarks("--- !Passed\nPass: x\nFunction: f\nArgs:\n  - String: 'one\n      two'\n...\n");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].message, "one two");
}

TEST(RemarksTest, WhatIsNoRemarkIsLeftOut) {
  for (const char* text :
       {"", "...", "Pass: x", "--- ", "--- !", "--- !Passed\nArgs:\n - ':\n", "--- !Passed\n  - '"})
    EXPECT_LE(parseRemarks(text).size(), 1u) << text;
}

// Of stock opt itself.
TEST(RemarksTest, StockOptSaysWhatItDid) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "small.c", engine::kSmallProgram));
  const auto input = engine::prepareInput((dir.path() / "small.c").string(), {}, {});
  ASSERT_TRUE(input) << input.error().message;
  const auto remarks =
      remarksOf(*input, input->compiled.bytes,
                {{"inline", notation::kPipeline, "inline"}, {"+minsize", notation::kAttribute, "+minsize"}});
  ASSERT_TRUE(remarks) << remarks.error().message;
  EXPECT_THAT(*remarks, testing::Contains(Remark{
                            "missed", "inline", "main",
                            "printf will not be inlined into main because its definition is unavailable"}));
}

}  // namespace
}  // namespace ordo::agent
