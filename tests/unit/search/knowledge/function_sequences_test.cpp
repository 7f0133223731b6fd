#include "search/knowledge/function_sequences.h"

#include <gtest/gtest.h>

namespace ordo::search {
namespace {

TEST(FunctionSequencesTest, WhatIsWrittenIsRead) {
  const FunctionSequences file{
      "llvm", "22.1.8", "code_bytes",
      3,      40,       {{"bare", {{"sroa,gvn", 0.25}, {"-minsize", 0}}}, {"behind", {}}}};
  const auto read = parseFunctionSequences(writeFunctionSequences(file), "functions.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, file);
  const FunctionLabels labels{"suite/wc", "bare", {{10, 8, -1}, {0, 0, 0}}};
  const auto line = parseLabels(writeLabels(labels), "labels.jsonl:2");
  ASSERT_TRUE(line) << line.error().message;
  EXPECT_EQ(line->program, labels.program);
  EXPECT_EQ(line->track, labels.track);
  EXPECT_EQ(line->sizes, labels.sizes);
}

TEST(FunctionSequencesTest, WhatIsNoneIsRefusedByName) {
  const auto code = [](std::string_view text) { return parseFunctionSequences(text, "f").error().code; };
  EXPECT_EQ(code("{"), ErrorCode::kCorrupt);
  EXPECT_EQ(code(R"({"format": 2})"), ErrorCode::kUnsupported);
  EXPECT_EQ(code(R"({"format":1,"backend":"llvm","version":"1","objective":"o","programs":1,"functions":1,)"
                 R"("tracks":{"bare":[{"text":1,"saves":0}]}})"),
            ErrorCode::kCorrupt);
  for (const std::string_view line :
       {R"({"program":"p","track":"t"})", R"({"program":"p","track":"t","sizes":[1]})",
        R"({"program":"p","track":"t","sizes":[["a"]]})",
        R"({"program":"p","track":"t","sizes":[],"more":1})"})
    EXPECT_FALSE(parseLabels(line, "labels")) << line;
}

// The second alone saves most; beside it the first saves what is left, and the third nothing.
TEST(FunctionSequencesTest, EachAddsToThoseBeforeIt) {
  const std::vector<std::string> texts{"a", "b", "c"};
  const std::vector<FunctionLabels> labels{{"one", "bare", {{100, 90, 60, 80}, {100, 70, 110, 95}}},
                                           {"other", "bare", {{10, 10, 8, -1}}},
                                           {"one", "behind", {{100, 100, 100, 1}}}};
  const std::vector<MinedSequence> chosen = chooseSequences(labels, "bare", texts, 3);
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].text, "b");
  EXPECT_NEAR(chosen[0].saves, (0.4 + 0 + 0.2) / 3, 1e-12) << "what it makes larger it is not chosen for";
  EXPECT_EQ(chosen[1].text, "a");
  EXPECT_EQ(chooseSequences(labels, "bare", texts, 1).size(), 1u);
  EXPECT_EQ(chooseSequences(labels, "behind", texts, 3).front().text, "c");
  EXPECT_TRUE(chooseSequences({}, "bare", texts, 3).empty());
}

TEST(FunctionSequencesTest, AProgramCountsAsMuchHoweverLargeItIs) {
  const std::vector<FunctionLabels> labels{{"large", "bare", {{1000, 900, 1000}}},
                                           {"small", "bare", {{10, 10, 5}}}};
  EXPECT_EQ(chooseSequences(labels, "bare", {"a", "b"}, 2).front().text, "b");
}

}  // namespace
}  // namespace ordo::search
