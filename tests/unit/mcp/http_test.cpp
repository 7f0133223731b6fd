#include "mcp/http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <thread>

#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::mcp {
namespace {

using testing::HasSubstr;

constexpr const char* kToken = "0123456789abcdef";

class HttpTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = std::make_unique<TempDir>(*TempDir::create());
    ASSERT_TRUE(writeFile(dir_->path() / "small.c", engine::kSmallProgram));
    auto server = Server::start({.version = "1", .roots = {dir_->path()}});
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    std::promise<std::string> ready;
    thread_ = std::thread([&ready] {
      const Status status = serveHttp(*server_, {.port = 0, .token = kToken}, stop_,
                                      [&](const std::string& url) { ready.set_value(url); });
      EXPECT_TRUE(status) << status.error().message;
    });
    const std::string url = ready.get_future().get();
    port_ = std::stoi(url.substr(url.rfind(':') + 1));
  }
  static void TearDownTestSuite() {
    stop_ = true;
    thread_.join();
    server_.reset();
    dir_.reset();
  }

  static httplib::Headers headers() {
    return {{"Authorization", fmt::format("Bearer {}", kToken)},
            {"Accept", "application/json, text/event-stream"}};
  }
  static httplib::Result post(const std::string& body, const httplib::Headers& with = headers(),
                              const char* type = "application/json") {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(60);
    return client.Post("/mcp", with, body, type);
  }
  // The reply in a body, which is a stream of events if it took a while.
  static Json lastOf(const std::string& body) {
    const std::size_t last = body.rfind("data: ");
    return Json::parse(last == std::string::npos ? body : body.substr(last + 6));
  }
  static std::string ping() { return writeRequest(1, "ping", Json::object()); }

  static inline std::atomic<bool> stop_{false};
  static inline std::unique_ptr<TempDir> dir_;
  static inline std::unique_ptr<Server> server_;
  static inline std::thread thread_;
  static inline int port_ = 0;
};

TEST_F(HttpTest, ARequestIsAnswered) {
  const auto response = post(ping());
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(Json::parse(response->body)["id"], 1);
}

TEST_F(HttpTest, WithoutTheTokenNothingIs) {
  EXPECT_EQ(post(ping(), {})->status, 401);
  EXPECT_EQ(post(ping(), {{"Authorization", "Bearer wrong"}})->status, 401);
  EXPECT_EQ(post(ping(), {{"Authorization", fmt::format("Bearer {}x", kToken)}})->status, 401);
  EXPECT_EQ(post(ping(), {{"Authorization", kToken}})->status, 401);
}

TEST_F(HttpTest, PagesOfOthersAreRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"Origin", "http://evil.example"},
                                                        {"Origin", "null"},
                                                        {"Origin", "http://127.0.0.1"},
                                                        {"Host", "evil.example"},
                                                        {"Host", fmt::format("evil.example:{}", port_)}}) {
    httplib::Headers with = headers();
    with.emplace(name, value);
    EXPECT_EQ(post(ping(), with)->status, 403) << name << " " << value;
  }
  httplib::Headers own = headers();
  own.emplace("Origin", fmt::format("http://localhost:{}", port_));
  EXPECT_EQ(post(ping(), own)->status, 200);
}

TEST_F(HttpTest, WhatIsNoMessageIsRefused) {
  EXPECT_EQ(post("nonsense")->status, 400);
  EXPECT_EQ(post(ping(), headers(), "text/plain")->status, 415);
  EXPECT_EQ(post(std::string(3u << 20, ' '))->status, 413);
  httplib::Client client("127.0.0.1", port_);
  EXPECT_EQ(client.Get("/mcp", headers())->status, 405);
  EXPECT_EQ(client.Get("/other", headers())->status, 404);
  EXPECT_EQ(post(writeNotification("notifications/initialized", Json::object()))->status, 202);
}

TEST_F(HttpTest, HeadersOfTheLaterEraAreWhatTheBodySays) {
  const Json meta{{"_meta",
                   {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                    {"io.modelcontextprotocol/clientCapabilities", Json::object()}}}};
  const std::string body = writeRequest(1, "tools/list", meta);
  httplib::Headers with = headers();
  with.emplace("MCP-Protocol-Version", "2026-07-28");
  with.emplace("Mcp-Method", "tools/list");
  EXPECT_EQ(post(body, with)->status, 200);
  httplib::Headers wrong = headers();
  wrong.emplace("Mcp-Method", "tools/call");
  const auto response = post(body, wrong);
  EXPECT_EQ(response->status, 400);
  EXPECT_EQ(Json::parse(response->body)["error"]["code"], kHeaderMismatch);
  EXPECT_EQ(post(writeRequest(1, "no/such", meta))->status, 404);
}

TEST_F(HttpTest, ANameThatIsNotAllowedIsSaidHowToAllow) {
  httplib::Headers with = headers();
  with.emplace("Host", "localhost:9000");
  const auto response = post(ping(), with);
  EXPECT_EQ(response->status, 403);
  EXPECT_THAT(response->body, HasSubstr("--allow-host localhost:9000"));
}

// One that waits for a plain answer, and no stream, hangs up.
TEST_F(HttpTest, WhoClosesTheConnectionTakesTheRequestBack) {
  const auto open = lastOf(
      post(writeRequest(
               1, "tools/call",
               {{"name", "open_program"},
                {"arguments",
                 {{"file", (dir_->path() / "small.c").string()}, {"compiles", 100000}, {"seconds", 3600}}}}))
          ->body);
  const std::string program = open["result"]["structuredContent"]["program"];
  {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(0, 300000);
    httplib::Headers plain{{"Authorization", fmt::format("Bearer {}", kToken)},
                           {"Accept", "application/json"}};
    const Json search{{"name", "search_sequences"},
                      {"arguments", {{"program", program}, {"compiles", 100000}, {"method", "random"}}}};
    EXPECT_FALSE(client.Post("/mcp", plain, writeRequest(2, "tools/call", search), "application/json"));
  }
  EXPECT_TRUE(server_->drain(std::chrono::seconds(60))) << "it would take an hour";
}

TEST_F(HttpTest, ProgressComesAsAStreamOfEvents) {
  post(writeRequest(1, "tools/call",
                    {{"name", "open_program"},
                     {"arguments", {{"file", (dir_->path() / "small.c").string()}, {"compiles", 5000}}}}));
  const auto response = post(writeRequest(2, "tools/call",
                                          {{"name", "search_sequences"},
                                           {"arguments", {{"compiles", 300}, {"method", "random"}}},
                                           {"_meta", {{"progressToken", 7}}}}));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->get_header_value("Content-Type"), "text/event-stream");
  EXPECT_THAT(response->body, HasSubstr("notifications/progress"));
  const Json reply = lastOf(response->body);
  EXPECT_EQ(reply["id"], 2);
  EXPECT_EQ(reply["result"]["isError"], false);
}

TEST_F(HttpTest, ATakenPortIsSaid) {
  const std::atomic<bool> stop{false};
  const Status status = serveHttp(*server_, {.port = port_, .token = "x"}, stop, [](const std::string&) {});
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr(std::to_string(port_)));
}

}  // namespace
}  // namespace ordo::mcp
