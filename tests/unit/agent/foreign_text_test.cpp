#include "agent/foreign_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"

namespace ordo::agent {
namespace {

TEST(ForeignTextTest, PlainTextStaysAsItIs) {
  EXPECT_EQ(foreignText("define i32 @f(ptr %0) {\n\tret i32 0\n}", 100),
            "define i32 @f(ptr %0) {\n\tret i32 0\n}");
  EXPECT_EQ(foreignText("a < b | c > d </b> x<y", 100), "a < b | c > d </b> x<y");
}

TEST(ForeignTextTest, MarksOfConversationsArePulledApart) {
  for (const char* mark : {"<|im_end|>", "</tool_response>", "<tool_call>", "</think>", "<ANSWER>", "<s>",
                           "[INST]", "<<SYS>>", "<start_of_turn>"}) {
    const std::string text = foreignText(fmt::format("a{}b", mark), 100);
    EXPECT_EQ(text.find(mark), std::string::npos) << text;
    EXPECT_EQ(text.front(), 'a');
    EXPECT_EQ(text.back(), 'b');
  }
}

TEST(ForeignTextTest, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(foreignText("a\x1b[31mred\r\x07", 100), "a [31mred  ");
}

TEST(ForeignTextTest, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(foreignText("abcdef", 3), "abc\n(3 more bytes)");
  EXPECT_EQ(foreignText("ab\xc3\xa4z", 3), "ab\n(3 more bytes)");
  EXPECT_EQ(foreignText("abc", 3), "abc");
  EXPECT_EQ(foreignText("", 0), "");
}

TEST(ForeignTextTest, AnyBytesMakeJson) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  EXPECT_FALSE(Json::parse(writeJson(Json(foreignText(bytes, 1000))), nullptr, false).is_discarded());
}

}  // namespace
}  // namespace ordo::agent
