#include "agent/process_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::agent {
namespace {

using testing::HasSubstr;

Result<std::unique_ptr<Model>> program(const std::string& script) {
  return openProcessModel(std::vector<std::string>{"sh", "-c", script}, {.reply_s = 10, .start_s = 10});
}
Result<agent::Reply> ask(Model& model) { return model.reply(Json::array(), Json::array(), {}); }

TEST(ProcessModelTest, TalksInLines) {
  const auto model = program(R"(echo '{"ordo_model": 1, "name": "small"}'; while read -r line; do
    echo '{"message": {"role": "assistant", "content": "hi"}, "usage": {"prompt_tokens": 4, "flops": 1e9}}'; done)");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ((*model)->name(), "small");
  for (int i = 0; i < 3; ++i) {
    const auto reply = ask(**model);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->message["content"], "hi");
    EXPECT_EQ(reply->flops, 1e9);
  }
}

TEST(ProcessModelTest, WhoDoesNotStartSaysWhy) {
  const auto silent = program("echo 'no module named torch' >&2; exit 1");
  ASSERT_FALSE(silent);
  EXPECT_THAT(silent.error().message, HasSubstr("no module named torch"));
  EXPECT_THAT(silent.error().message, HasSubstr("--with agent"));
  EXPECT_FALSE(program("echo hello"));
  EXPECT_FALSE(program(R"(echo '{"ordo_model": 2}')"));
}

TEST(ProcessModelTest, WhatIsNoReplyIsSaid) {
  for (const char* line : {"nonsense", "[]", "{}", R"({"message": 5})"}) {
    const auto model =
        program(fmt::format(R"(echo '{{"ordo_model": 1}}'; read -r line; echo '{}'; read -r line)", line));
    ASSERT_TRUE(model);
    EXPECT_FALSE(ask(**model)) << line;
  }
}

TEST(ProcessModelTest, AnErrorOfItsOwnIsItsAnswer) {
  const auto model =
      program(R"(echo '{"ordo_model": 1}'; read -r line; echo '{"error": "out of memory"}'; read -r line)");
  ASSERT_TRUE(model);
  EXPECT_THAT(ask(**model).error().message, HasSubstr("out of memory"));
}

TEST(ProcessModelTest, OneThatEndsIsGone) {
  const auto model = program(R"(echo '{"ordo_model": 1}'; read -r line; echo 'killed by me' >&2; exit 3)");
  ASSERT_TRUE(model);
  EXPECT_THAT(ask(**model).error().message, HasSubstr("killed by me"));
  EXPECT_THAT(ask(**model).error().message, HasSubstr("gone"));
}

Result<Guesses> propose(Model& model) { return model.propose(Json::array(), Json::object(), "", 2, {}); }

TEST(ProcessModelTest, ProposesSequences) {
  const auto model = program(R"(echo '{"ordo_model": 1}'; read -r line
    case $line in *'"propose":2'*'"source":""'*) ;; *) exit 1 ;; esac
    echo '{"proposals": [{"sequence": ["gvn", "dce"], "log_probability": -1.5}], "usage": {"flops": 1e9}}'; read -r line)");
  ASSERT_TRUE(model);
  const auto guesses = propose(**model);
  ASSERT_TRUE(guesses) << guesses.error().message;
  ASSERT_EQ(guesses->proposals.size(), 1u);
  EXPECT_EQ(guesses->proposals[0].actions, (std::vector<std::string>{"gvn", "dce"}));
  EXPECT_EQ(guesses->proposals[0].log_probability, -1.5);
  EXPECT_EQ(guesses->flops, 1e9);
}

TEST(ProcessModelTest, WhatAreNoProposalsIsSaid) {
  const std::string one = R"({"sequence": ["gvn"], "log_probability": -1})";
  for (const std::string& list :
       {std::string("5"), std::string("[5]"), "[" + one + "," + one + "," + one + "]",
        std::string(R"([{"sequence": [], "log_probability": -1}])"),
        std::string(R"([{"sequence": [7], "log_probability": -1}])"),
        std::string(R"([{"sequence": "gvn", "log_probability": -1}])"),
        std::string(R"([{"sequence": ["gvn"], "log_probability": 1}])"),
        std::string(R"([{"sequence": ["gvn"]}])")}) {
    const auto model = program(fmt::format(
        R"(echo '{{"ordo_model": 1}}'; read -r line; echo '{{"proposals": {}}}'; read -r line)", list));
    ASSERT_TRUE(model);
    const auto guesses = propose(**model);
    ASSERT_FALSE(guesses) << list;
    EXPECT_EQ(guesses.error().code, ErrorCode::kCorrupt) << list;
  }
}

}  // namespace
}  // namespace ordo::agent
