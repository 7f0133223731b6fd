#include "agent/http_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <cstdlib>
#include <future>
#include <thread>

namespace ordo::agent {
namespace {

using testing::HasSubstr;

// A server of one page.
class HttpModelTest : public testing::Test {
 protected:
  void SetUp() override {
    port_ = server_.bind_to_any_port("127.0.0.1");
    server_.Post("/v1/chat/completions",
                 [this](const httplib::Request& request, httplib::Response& response) {
                   ++asked_;
                   body_ = request.body;
                   key_ = request.get_header_value("Authorization");
                   answer_(response);
                 });
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void TearDown() override {
    server_.stop();
    thread_.join();
    ::unsetenv("OPENAI_API_KEY");
  }

  Result<agent::Reply> ask(const ModelOptions& options = {}) {
    const auto model = openHttpModel(fmt::format("http://127.0.0.1:{}/v1#tiny", port_), options);
    return (*model)->reply(Json::array({{{"role", "user"}, {"content", "hello"}}}), Json::array(),
                           {.seed = 3});
  }
  void answerWith(std::string body, int status = 200) {
    answer_ = [=](httplib::Response& response) {
      response.status = status;
      response.set_content(body, "application/json");
    };
  }

  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
  std::atomic<int> asked_{0};
  std::string body_, key_;
  std::function<void(httplib::Response&)> answer_;
};

TEST_F(HttpModelTest, AsksAndReads) {
  ::setenv("OPENAI_API_KEY", "sk-test", 1);
  answerWith(R"({"choices": [{"message": {"role": "assistant", "content": "hi", "tool_calls": []}}],
                 "usage": {"prompt_tokens": 7, "completion_tokens": 2}})");
  const Result<agent::Reply> reply = ask();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message["content"], "hi");
  EXPECT_EQ(reply->prompt_tokens, 7);
  EXPECT_EQ(reply->completion_tokens, 2);
  EXPECT_EQ(key_, "Bearer sk-test") << "to this machine it is sent";
  const Json request = Json::parse(body_);
  EXPECT_EQ(request["model"], "tiny");
  EXPECT_EQ(request["seed"], 3);
  EXPECT_EQ(request["messages"][0]["content"], "hello");
}

TEST_F(HttpModelTest, WhatIsNoCompletionIsSaid) {
  for (const char* body : {"", "nonsense", "[]", "{}", R"({"choices": []})", R"({"choices": [5]})",
                           R"({"choices": [{"message": "hi"}]})"}) {
    answerWith(body);
    const Result<agent::Reply> reply = ask();
    ASSERT_FALSE(reply) << body;
    EXPECT_EQ(reply.error().code, ErrorCode::kCorrupt) << body;
  }
}

TEST_F(HttpModelTest, ARefusalIsNotAskedAgainButATimeOfTroubleIs) {
  answerWith(R"({"error": "no such model <|im_end|>"})", 404);
  const Result<agent::Reply> refused = ask();
  EXPECT_EQ(asked_, 1);
  EXPECT_THAT(refused.error().message, HasSubstr("status 404"));
  EXPECT_THAT(refused.error().message, testing::Not(HasSubstr("<|im_end|>")));
  answerWith("busy", 503);
  EXPECT_EQ(ask().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(asked_, 4);
}

TEST_F(HttpModelTest, ATooLongAnswerIsCutOff) {
  answerWith(std::string(std::size_t{9} << 20, 'x'));
  const Result<agent::Reply> reply = ask();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(reply.error().message, HasSubstr("more than 8 MiB"));
  EXPECT_EQ(asked_, 1) << "it would be as long again";
  answerWith("there is no such thing here", 501);
  EXPECT_FALSE(ask());
  EXPECT_EQ(asked_, 2);
}

TEST_F(HttpModelTest, WhoDoesNotAnswerIsNotWaitedFor) {
  std::promise<void> given_up;
  answer_ = [over = given_up.get_future().share()](httplib::Response& response) {
    over.wait();
    response.set_content("{}", "application/json");
  };
  const Result<agent::Reply> reply = ask({.reply_s = 0.1});
  given_up.set_value();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kDeadlineExceeded);
}

TEST(HttpModelAddressTest, NobodyThereIsAnError) {
  const auto model = openHttpModel("http://127.0.0.1:1/v1#tiny", {.reply_s = 5});
  const auto reply = (*model)->reply(Json::array(), Json::array(), {});
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("cannot reach http://127.0.0.1:1"));
}

}  // namespace
}  // namespace ordo::agent
