#include "env/advice_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/advisor_conformance.h"
#include "tests/fakes/toy_advisor.h"

namespace ordo::env {
namespace {

using fakes::answersOf;
using testing::HasSubstr;

class AdviceLogTest : public testing::Test {
 protected:
  fakes::ToyAdvisor toy_;
  AdviceLog log_;
  LoggedAdvisor logged_{toy_, log_};
};

TEST_F(AdviceLogTest, TheLogAndWhatRepeatsItAreAdvisorsToo) {
  fakes::expectConformance(logged_);
  RecordedAdvisor recorded(log_);
  fakes::expectConformance(recorded);
}

TEST_F(AdviceLogTest, WhatWasAskedAndSaidIsNotedAndSaidAgain) {
  const std::vector<std::uint32_t> a = answersOf(logged_, "a.c", 1), b = answersOf(logged_, "b.c", 2);
  ASSERT_EQ(log_.advice.size(), a.size() + b.size());
  EXPECT_EQ(log_.advice.front().module, "a.c");
  EXPECT_EQ(log_.advice.back().answer, b.back());

  const Result<AdviceLog> read = parseAdvice(writeAdvice(log_), "advice.jsonl");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == log_);
  RecordedAdvisor recorded(*read);
  EXPECT_EQ(answersOf(recorded, "b.c", 2), b) << "modules in another order";
  EXPECT_EQ(answersOf(recorded, "a.c", 1), a);
  EXPECT_TRUE(recorded.faithful());
}

TEST_F(AdviceLogTest, AModuleThatComesTwiceIsRepeatedTwice) {
  const std::vector<std::uint32_t> first = answersOf(logged_, "a.c", 1),
                                   second = answersOf(logged_, "a.c", 2);
  RecordedAdvisor recorded(log_);
  EXPECT_EQ(answersOf(recorded, "a.c", 1), first);
  EXPECT_EQ(answersOf(recorded, "a.c", 2), second);
  EXPECT_EQ(answersOf(recorded, "a.c", 1), first) << "and from the start again";
  EXPECT_TRUE(recorded.faithful());
}

TEST_F(AdviceLogTest, AnotherQuestionEndsTheRepeating) {
  answersOf(logged_, "a.c", 1);
  RecordedAdvisor recorded(log_);
  answersOf(recorded, "a.c", 5);
  EXPECT_FALSE(recorded.faithful());
  RecordedAdvisor other(log_);
  const std::vector<float> features{5, 5};
  const std::vector<std::uint8_t> allowed{1, 1};
  other.begin("new.c");
  EXPECT_EQ(other.advise({features, allowed, 0}), 0u) << "what the compiler would do";
  EXPECT_FALSE(other.faithful());
}

TEST(AdviceTextTest, WhatIsNoAdviceIsRefusedWithItsLine) {
  const std::string head =
      R"({"ordo_advice":1,"decision":"d","version":1,"features":["a"],"answers":["no","yes"]})"
      "\n";
  EXPECT_TRUE(parseAdvice(head, "x"));
  for (const char* line : {"nonsense", "[]", "{}", R"({"module":"m","features":[],"usual":0,"answer":0})",
                           R"({"module":"m","features":[1],"usual":2,"answer":0})",
                           R"({"module":"m","features":[1],"usual":0,"answer":-1})",
                           R"({"module":"m","features":["1"],"usual":0,"answer":1})",
                           R"({"module":"m","features":[1e300],"usual":0,"answer":1})",
                           R"({"module":"m","features":[1],"usual":0,"answer":1,"why":"x"})"}) {
    const Result<AdviceLog> read = parseAdvice(head + line + "\n", "x");
    ASSERT_FALSE(read) << line;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(read.error().message, HasSubstr("x:2"));
  }
  EXPECT_EQ(parseAdvice("", "x").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(parseAdvice(R"({"ordo_advice":2,"decision":"d","version":1,"features":[],"answers":["a"]})", "x")
                .error()
                .code,
            ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::env
