#include "agent/propose.h"

#include <gmock/gmock.h>

#include "tests/unit/agent/fixture.h"

namespace ordo::agent {
namespace {

using testing::HasSubstr;

class GuessingModel final : public Model {
 public:
  const std::string& name() const override { return name_; }
  double cpuSeconds() const override { return 2.0 * static_cast<double>(asked_); }
  Result<agent::Reply> reply(const Json&, const Json&, const Sampling&) override {
    return fail(ErrorCode::kInternal, "nobody talks to it");
  }
  Result<Guesses> propose(const Json& messages, const Json& tool, std::string_view source, std::size_t count,
                          const Sampling&) override {
    ++asked_;
    messages_ = messages;
    tool_ = tool;
    source_ = source;
    count_ = count;
    return Guesses{{{{"gvn"}, -5}, {{"clang-Oz", "gvn"}, -1}, {{"gvn"}, -7}, {{"nobody-knows-it"}, -0.5}},
                   1e9};
  }

  Json messages_, tool_;
  std::string source_;
  std::size_t count_ = 0;

 private:
  std::string name_ = "guessing";
  int asked_ = 0;
};

class ProposeTest : public HostFixture {};

TEST_F(ProposeTest, WhatCanBeMeasuredIsProposedTheLikeliestFirst) {
  GuessingModel model;
  const std::string handle = open();
  const auto proposals = propose(*host_, handle, model, {.count = 4});
  ASSERT_TRUE(proposals) << proposals.error().message;
  using Names = std::vector<std::string>;
  EXPECT_EQ(proposals->sequences(), (std::vector<Names>{{"clang-Oz", "gvn"}, {"gvn"}}));
  EXPECT_EQ(proposals->proposals[1].log_probability, -5);
  EXPECT_EQ(proposals->program, host_->find(handle)->input().program.uri);
  EXPECT_EQ(proposals->objective, "ir_instructions");
  EXPECT_EQ(proposals->cpu_s, 2);
  EXPECT_EQ(proposals->flops, 1e9);
  EXPECT_EQ(host_->find(handle)->spent().compiles, 0);
}

TEST_F(ProposeTest, TheModelIsToldWhatADialogueBeginsWith) {
  GuessingModel model;
  const std::string handle = open();
  ASSERT_TRUE(propose(*host_, handle, model, {.count = 4}));
  ASSERT_EQ(model.messages_.size(), 4u);
  EXPECT_EQ(model.messages_[1]["role"], "user");
  EXPECT_EQ(model.messages_[2]["tool_calls"][0]["function"]["name"], "get_features");
  EXPECT_EQ(model.messages_[3]["role"], "tool");
  EXPECT_THAT(model.messages_[3]["content"].get<std::string>(), HasSubstr("TotalInsts"));
  EXPECT_EQ(model.tool_["function"]["name"], "measure_sequence");
  EXPECT_THAT(model.source_, HasSubstr("int "));
  EXPECT_EQ(model.count_, 4u);
}

TEST_F(ProposeTest, AModelThatCannotIsAnError) {
  class Talker final : public Model {
   public:
    const std::string& name() const override { return name_; }
    Result<agent::Reply> reply(const Json&, const Json&, const Sampling&) override { return agent::Reply{}; }

   private:
    std::string name_ = "talker";
  } model;
  const auto proposals = propose(*host_, open(), model, {});
  ASSERT_FALSE(proposals);
  EXPECT_EQ(proposals.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(proposals.error().message, HasSubstr("shipped"));
  EXPECT_EQ(propose(*host_, "p999", model, {}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::agent
