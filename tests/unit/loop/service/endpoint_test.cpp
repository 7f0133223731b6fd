#include "loop/service/endpoint.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <future>
#include <thread>

#include "support/files.h"

namespace ordo::loop {
namespace {

class LoopEndpointTest : public testing::Test {
 protected:
  void SetUp() override {
    settings_.store = dir_.path() / "loop.sqlite";
    std::promise<int> port;
    server_ = std::thread([this, &port] {
      EXPECT_TRUE(
          serveEndpoint(settings_, {.port = 0, .on_ready = [&](int one) { port.set_value(one); }}, stop_));
    });
    port_ = port.get_future().get();
  }
  void TearDown() override {
    stop_ = true;
    server_.join();
  }
  httplib::Client client() { return httplib::Client("127.0.0.1", port_); }

  // A store with an experiment that has this verdict.
  void store(Verdict verdict) {
    Store store = *Store::open(settings_.store, true);
    ASSERT_TRUE(store.lease("me", 0, 100));
    Experiment experiment{.id = "one", .candidate = "O2", .created_s = 1};
    ASSERT_TRUE(store.add("me", experiment));
    experiment.outcome = Outcome::kPromoted;
    experiment.state = State::kEnded;
    ASSERT_TRUE(store.advance("me", State::kProposed, experiment, 2));
    Reward reward;
    reward.verdict = verdict;
    ASSERT_TRUE(store.addReward("me", "one", reward, false, 3));
  }

  TempDir dir_ = *TempDir::create();
  Settings settings_ = *parseSettings(settingsTemplate(), "/tmp/loop.toml");
  std::atomic<bool> stop_{false};
  std::thread server_;
  int port_ = 0;
};

TEST_F(LoopEndpointTest, WithoutAStoreThereIsNothingToTell) {
  EXPECT_EQ(client().Get("/metrics")->status, 404);
  EXPECT_EQ(client().Post("/flagger/promote", "{}", "application/json")->status, 404);
}

TEST_F(LoopEndpointTest, GatesAreOpenByTheVerdictAndBodiesDoNothing) {
  store(Verdict::kPromote);
  EXPECT_EQ(client().Get("/metrics")->status, 200);
  EXPECT_EQ(parseJson(client().Get("/verdict")->body, "it")->at("verdict"), "promote");
  EXPECT_EQ(client().Get("/verdict/one")->status, 200);
  EXPECT_EQ(client().Get("/verdict/two")->status, 404);
  EXPECT_EQ(client().Get("/verdict/..%2f")->status, 404);
  EXPECT_EQ(client().Post("/flagger/promote", "\x01{{{", "application/json")->status, 200);
  EXPECT_EQ(client().Post("/flagger/rollback", "{}", "application/json")->status, 409);
  EXPECT_EQ(client().Post("/flagger/promote", std::string(1 << 20, 'x'), "text/plain")->status, 413);
}

// A page that a user looks at must not see what the loop does.
TEST_F(LoopEndpointTest, OthersArePutOff) {
  store(Verdict::kReject);
  EXPECT_EQ(client().Get("/metrics", {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(client().Get("/verdict", {{"Origin", "http://evil.example"}})->status, 403);
}

}  // namespace
}  // namespace ordo::loop
