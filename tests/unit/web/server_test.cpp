#include "web/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <future>
#include <thread>

#include "support/files.h"
#include "tests/fakes/eventually.h"

namespace ordo::web {
namespace {

using testing::HasSubstr;

constexpr const char* kToken = "0123456789abcdef";

// Says back what it is asked, and counts until nobody listens.
class Echo final : public View {
 public:
  std::string_view kind() const override { return "echo"; }
  std::string title() const override { return "what is said"; }
  void stop() override { stopped = true; }
  void rest() override { rested = true; }
  std::vector<Endpoint> endpoints() override {
    return {{.name = "about",
             .answer = [](const Json&) -> Result<Json> { return Json{{"is", "echo"}}; },
             .get = true},
            {.name = "say", .answer = [](const Json& body) -> Result<Json> { return body; }},
            {.name = "fail",
             .answer = [](const Json&) -> Result<Json> { return fail(ErrorCode::kNotFound, "none"); }},
            {.name = "count",
             .stream = [this](const Json& body, const Emit& emit) -> Status {
               if (body == -1) return fail(ErrorCode::kInvalidArgument, "too few");
               for (int i = 0; i < body && !stopped; ++i) {
                 if (!emit("number", i)) {
                   left = true;
                   break;
                 }
                 if (i > 100) std::this_thread::sleep_for(std::chrono::milliseconds(1));
               }
               return {};
             },
             .check = [](const Json& body) -> Status {
               if (!body.is_number()) return fail(ErrorCode::kInvalidArgument, "no number");
               return {};
             }}};
  }
  std::atomic<bool> stopped{false}, rested{false}, left{false};
};

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(writeFile(dir_.path() / "index.html", "<p>here"));
    site_.emplace(*Site::load(dir_.path()));
    auto echo = std::make_unique<Echo>();
    echo_ = echo.get();
    views_.push_back(std::move(echo));
    std::promise<std::string> ready;
    thread_ = std::thread([this, &ready] {
      const Status status = serve(*site_, views_, {.version = "1", .token = kToken, .idle_s = 0.3}, stop_,
                                  [&](const std::string& url) { ready.set_value(url); });
      EXPECT_TRUE(status) << status.error().message;
    });
    const std::string url = ready.get_future().get();
    EXPECT_THAT(url, HasSubstr(fmt::format("/#token={}", kToken)));
    port_ = std::stoi(url.substr(std::string_view("http://127.0.0.1:").size()));
  }
  void TearDown() override {
    stop_ = true;
    thread_.join();
  }

  httplib::Headers known() const { return {{"Authorization", fmt::format("Bearer {}", kToken)}}; }
  httplib::Client client() const { return httplib::Client("127.0.0.1", port_); }
  httplib::Result post(const std::string& path, const std::string& body) {
    return client().Post(path, known(), body, "application/json");
  }

  TempDir dir_ = *TempDir::create();
  std::optional<Site> site_;
  std::vector<std::unique_ptr<View>> views_;
  Echo* echo_ = nullptr;
  std::atomic<bool> stop_{false};
  std::thread thread_;
  int port_ = 0;
};

TEST_F(ServerTest, FilesAreForAllWhoMeanThisServerAndAnswersForWhoHasTheToken) {
  EXPECT_EQ(client().Get("/")->body, "<p>here");
  EXPECT_EQ(client().Get("/no-such")->status, 404);
  EXPECT_EQ(client().Get("/", {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(client().Get("/api/about")->status, 401);
  EXPECT_EQ(client().Get("/api/no/such")->status, 401) << "what there is not is not told either";
  EXPECT_EQ(client().Get("/api/no/such", known())->status, 404);
  const Json about = Json::parse(client().Get("/api/about", known())->body);
  EXPECT_EQ(about, Json::parse(R"({"version": "1", "views": [{"kind": "echo", "title": "what is said"}]})"));
}

TEST_F(ServerTest, QuestionsAreAnsweredAndErrorsHaveTheirStatus) {
  EXPECT_EQ(post("/api/echo/say", R"({"a": [1]})")->body, R"({"a":[1]})");
  const auto failed = post("/api/echo/fail", "{}");
  EXPECT_EQ(failed->status, 404);
  EXPECT_EQ(Json::parse(failed->body)["error"]["message"], "none");
  EXPECT_EQ(post("/api/echo/say", "nonsense")->status, 400);
  EXPECT_EQ(post("/api/echo/none", "{}")->status, 404);
  EXPECT_EQ(client().Post("/api/echo/say", known(), "{}", "text/plain")->status, 415);
  EXPECT_EQ(post("/api/echo/say", std::string(std::size_t{2} << 20, ' '))->status, 413);
  httplib::Headers foreign = known();
  foreign.emplace("Origin", "http://evil.example");
  EXPECT_EQ(client().Post("/api/echo/say", foreign, "{}", "application/json")->status, 403);
}

TEST_F(ServerTest, LongAnswersComeAsEvents) {
  const auto response = post("/api/echo/count", "2");
  EXPECT_EQ(response->get_header_value("Content-Type"), "text/event-stream");
  EXPECT_EQ(response->body, "event: number\ndata: 0\n\nevent: number\ndata: 1\n\n");
  EXPECT_THAT(post("/api/echo/count", "-1")->body,
              HasSubstr("event: error\ndata: {\"error\":{\"code\":\"invalid argument\""));
  EXPECT_EQ(post("/api/echo/count", "null")->status, 400) << "before any of it is told";
}

TEST_F(ServerTest, WhoGoesAwayEndsTheWork) {
  httplib::Client gone = client();
  std::size_t bytes = 0;
  httplib::Request request;
  request.method = "POST";
  request.path = "/api/echo/count";
  request.headers = known();
  request.set_header("Content-Type", "application/json");
  request.body = "100000000";
  request.content_receiver = [&](const char*, std::size_t size, std::uint64_t, std::uint64_t) {
    bytes += size;
    return bytes < 1000;
  };
  gone.send(request);
  gone.stop();
  EXPECT_TRUE(fakes::eventually([&] { return echo_->left.load(); }));
}

TEST_F(ServerTest, ViewsRestWhenNobodyAsksAndStopWithTheServer) {
  EXPECT_EQ(post("/api/echo/say", "1")->status, 200);
  EXPECT_TRUE(fakes::eventually([&] { return echo_->rested.load(); }));
  stop_ = true;
  EXPECT_TRUE(fakes::eventually([&] { return echo_->stopped.load(); }));
}

}  // namespace
}  // namespace ordo::web
