#include "study/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/json.h"
#include "tests/fakes/toy_context.h"

namespace ordo::study {
namespace {

using testing::HasSubstr;
using Sequences = std::vector<search::Sequence>;

std::string complaint(std::string_view line) {
  const auto proposal = readProposal(line, 3, 2);
  EXPECT_FALSE(proposal) << line;
  return proposal ? "" : proposal.error().message;
}

TEST(ProtocolTest, AGreetingNamesTheVersion) {
  EXPECT_TRUE(readGreeting(R"({"ordo_method":1})"));
  EXPECT_TRUE(readGreeting(R"({"ordo_method":1,"more":"is ignored"})"));
  EXPECT_EQ(readGreeting(R"({"ordo_method":2})").error().code, ErrorCode::kUnsupported);
  for (const char* line : {"", "hello", "[1]", "1", "{}", R"({"ordo_method":"1"})", R"({"ordo_method":1.5})"})
    EXPECT_EQ(readGreeting(line).error().code, ErrorCode::kCorrupt) << line;
}

TEST(ProtocolTest, ATaskSaysWhatThereIs) {
  fakes::ToyContext context(fakes::toySpec(50, {"dec", "crash"}), 7, {{0, 0}, {}, {1}});
  const auto json = parseJson(writeTask({"toy/a", "count", 9, 100}, *context), "task");
  ASSERT_TRUE(json);
  EXPECT_EQ(writeJson(*json), R"({"ordo_method":1,"program":"toy/a","objective":"count",)"
                              R"("actions":["dec","crash"],"seeds":[{"sequence":[0,0],"value":48.0},)"
                              R"({"sequence":[],"value":50.0},{"sequence":[1],"value":null}],)"
                              R"("max_length":7,"budget":97,"seed":9})");
}

TEST(ProtocolTest, AProposalIsAListOfSequences) {
  EXPECT_EQ(*readProposal(R"({"sequences":[[0,2],[],[1]]})", 3, 2), (Sequences{{0, 2}, {}, {1}}));
  EXPECT_EQ(*readProposal(R"( { "sequences" : [ [ 1 ] ], "note": null } )", 3, 2), (Sequences{{1}}));
}

TEST(ProtocolTest, WhatIsNoProposalIsNamed) {
  EXPECT_THAT(complaint("rubbish"), HasSubstr("wrote 'rubbish', and a line is not JSON"));
  EXPECT_THAT(complaint("{}"), HasSubstr("no list of 'sequences'"));
  EXPECT_THAT(complaint("[[1]]"), HasSubstr("no list of 'sequences'"));
  EXPECT_THAT(complaint(R"({"sequences":[]})"), HasSubstr("no list of 'sequences' with something in it"));
  EXPECT_THAT(complaint(R"({"sequences":[1]})"), HasSubstr("sequence 0 is no list"));
  EXPECT_THAT(complaint(R"({"sequences":[[0],[0,1,2]]})"),
              HasSubstr("sequence 1 has 3 actions, and at most 2"));
  EXPECT_THAT(complaint(R"({"sequences":[[3]]})"), HasSubstr("the action 3, and they go from 0 to 2"));
  for (const char* action : {"-1", "0.5", "\"dec\"", "null", "[0]", "18446744073709551616"}) {
    EXPECT_THAT(complaint(fmt::format(R"({{"sequences":[[{}]]}})", action)), HasSubstr("has the action"))
        << action;
  }
}

TEST(ProtocolTest, AMessageIsShortAndCanBePrinted) {
  const std::string message = complaint("\x01\xff" + std::string(100'000, 'x'));
  EXPECT_LT(message.size(), 400u);
  EXPECT_THAT(message, HasSubstr("??xxx"));
}

TEST(ProtocolTest, AnAnswerHasNothingForAFailure) {
  const std::vector<std::optional<double>> values{41, std::nullopt, 40.5};
  EXPECT_EQ(writeAnswer(values, false), R"({"values":[41.0,null,40.5],"done":false})");
  EXPECT_EQ(writeAnswer({}, true), R"({"values":[],"done":true})");
}

}  // namespace
}  // namespace ordo::study
