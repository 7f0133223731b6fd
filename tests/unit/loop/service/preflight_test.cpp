#include "loop/service/preflight.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <thread>

#include "support/files.h"

namespace ordo::loop {
namespace {

TEST(LoopPreflightTest, ReadsRedispatchWithWhatDefaultsSay) {
  const char* const text =
      "global\n  stats socket /run/s level admin\n"
      "defaults\n  mode http\n  option redispatch 1 # each time\n  retry-on conn-failure empty-response\n"
      "backend first\n  no option redispatch\n  server a 127.0.0.1:1\n"
      "backend second\n  server a 127.0.0.1:1\n"
      "defaults plain\n  mode tcp\n"
      "backend third\n"
      "defaults other from plain\n\toption redispatch\n"
      "backend fourth from plain\n"
      "backend fifth from other\n"
      "listen sixth\n";
  EXPECT_FALSE(readHaproxyFile(text, "first").redispatch);
  EXPECT_TRUE(readHaproxyFile(text, "second").redispatch);
  EXPECT_EQ(readHaproxyFile(text, "second").retry_on, "conn-failure empty-response");
  EXPECT_FALSE(readHaproxyFile(text, "third").redispatch);
  EXPECT_FALSE(readHaproxyFile(text, "fourth").redispatch);
  EXPECT_TRUE(readHaproxyFile(text, "fifth").redispatch);
  EXPECT_TRUE(readHaproxyFile(text, "sixth").redispatch) << "of the defaults before it, whatever their name";
  EXPECT_TRUE(readHaproxyFile(text, "sixth").found);
  EXPECT_FALSE(readHaproxyFile(text, "absent").found);
  EXPECT_FALSE(readHaproxyFile("", "first").found);
}

// What the guard waits for, it counts by news and not by ticks (controller/observer.h).
TEST(LoopPreflightTest, WindowsHaveTwoScrapes) {
  std::vector<std::string> said;
  const LoopOptions usual = paced({}, 15, said);
  EXPECT_EQ(usual.window_s, 30);
  EXPECT_EQ(usual.guard.most_unseen, LoopOptions{}.guard.most_unseen);
  EXPECT_TRUE(said.empty());
  const LoopOptions slow = paced({.window_s = 10, .warmup_s = 20}, 15, said);
  EXPECT_EQ(slow.window_s, 30);
  EXPECT_EQ(slow.warmup_s, 30);
  EXPECT_EQ(said, (std::vector<std::string>{"window_s = 30", "warmup_s = 30"}));
  EXPECT_TRUE(check(slow));
}

// A Prometheus of the answers that a test makes up.
class LoopPreflightWorldTest : public testing::Test {
 protected:
  LoopPreflightWorldTest() {
    server_.Get("/api/v1/query", [this](const httplib::Request& request, httplib::Response& response) {
      response.set_content(answer(request.get_param_value("query")), "application/json");
    });
    settings_.prometheus.histogram = "seconds";
    settings_.prometheus.port = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    settings_.folder = dir_.path();
    settings_.build = settings_.deploy = settings_.stop = {"/bin/true"};
    settings_.balancer_set = {"/bin/true"};
    settings_.balancer_look = {"/bin/echo", "production 256 up 0 0\ncontrol 0 up 0 0\ncanary 0 up 0 0"};
  }
  ~LoopPreflightWorldTest() override {
    while (!server_.is_running()) std::this_thread::yield();
    server_.stop();
    thread_.join();
  }

  std::string answer(const std::string& query) const {
    std::string result;
    const auto add = [&](const std::string& labels, const std::string& rest) {
      result +=
          fmt::format("{}{{\"metric\":{{\"job\":\"shop\"{}}},{}}}", result.empty() ? "" : ",", labels, rest);
    };
    const auto value = [](double number) { return fmt::format("\"value\":[1,\"{}\"]", number); };
    const std::string pool = ",\"pool\":\"" + label_ + "\"";
    const bool asked = query.find("pool=~") == std::string::npos || query.find(label_) != std::string::npos;
    if (query.find("seconds_bucket") == 0 && asked && !plain_) {
      double sum = 0;
      for (double bound = 0.01; bound < 2; bound *= growth_)
        add(pool + fmt::format(",\"le\":\"{:.6g}\"", bound), value(sum += bound < most_ ? 10 : 0));
      add(pool + ",\"le\":\"+Inf\"", value(most_ > 2 ? sum + 1000 : sum));
    } else if (query.find("[10m]") != std::string::npos) {
      std::string values;
      for (int i = 0; i < samples_; ++i)
        values += fmt::format("{}[{},\"1\"]", i > 0 ? "," : "", 1000 + every_s_ * i);
      add(pool, "\"values\":[" + values + "]");
    } else if (query.find("timestamp(") == 0 || (query.find("process_start") == 0 && started_)) {
      add(pool, value(1000));
    } else if (query.find("__name__") != std::string::npos && plain_) {
      add(pool, value(7));
    }
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"" +
           std::string(query.find("[10m]") != std::string::npos ? "matrix" : "vector") + "\",\"result\":[" +
           result + "]}}";
  }
  const Finding* of(const std::string& what) {
    found_ = preflight(settings_, false);
    for (const Finding& finding : found_.findings)
      if (finding.what == what) return &finding;
    return nullptr;
  }
  Grade grade(const std::string& what) {
    const Finding* const finding = of(what);
    EXPECT_NE(finding, nullptr) << what << "\n" << toText(found_);
    if (finding != nullptr && finding->grade != Grade::kGood) EXPECT_NE(finding->remedy, "") << what;
    return finding == nullptr ? Grade::kBad : finding->grade;
  }

  TempDir dir_ = *TempDir::create();
  Settings settings_;
  Preflight found_;
  std::string label_ = "production";
  double growth_ = 1.02, most_ = 1, every_s_ = 1;
  int samples_ = 100;
  bool started_ = true, plain_ = false;

 private:
  httplib::Server server_;
  std::thread thread_;
};

TEST_F(LoopPreflightWorldTest, AWorldThatFitsIsGood) {
  for (const char* const what :
       {"commands", "balancer", "Prometheus", "histogram", "buckets", "scrape interval"})
    EXPECT_EQ(grade(what), Grade::kGood) << what << "\n" << toText(found_);
  EXPECT_TRUE(found_.status());
  EXPECT_EQ(*found_.news_s, 1);
  EXPECT_EQ(grade("answers"), Grade::kDoubtful) << "it says that they are not compared";
}

TEST_F(LoopPreflightWorldTest, ScrapesAreHeldAgainstThePace) {
  every_s_ = 15;
  EXPECT_EQ(grade("scrape interval"), Grade::kGood);
  settings_.loop.window_s = 10;
  EXPECT_EQ(grade("scrape interval"), Grade::kDoubtful);
  EXPECT_EQ(*found_.news_s, 15);
  every_s_ = 300;
  EXPECT_EQ(grade("scrape interval"), Grade::kBad);
  EXPECT_EQ(found_.status().error().code, ErrorCode::kUnsupported);
  samples_ = 1;
  EXPECT_EQ(grade("scrape interval"), Grade::kDoubtful);
  EXPECT_FALSE(found_.news_s);
}

TEST_F(LoopPreflightWorldTest, BucketsAreHeldAgainstTheEffect) {
  growth_ = 2.5;  // Prometheus' default ones
  EXPECT_EQ(grade("buckets"), Grade::kBad);
  growth_ = 1.15;
  EXPECT_EQ(grade("buckets"), Grade::kDoubtful);
  growth_ = 1.02;
  most_ = 3;
  EXPECT_EQ(grade("buckets"), Grade::kBad) << "most requests are beyond the last one";
}

TEST_F(LoopPreflightWorldTest, WhatIsNoHistogramOfThePoolsIsSaid) {
  label_ = "shop-live";
  EXPECT_EQ(grade("histogram"), Grade::kBad);
  EXPECT_NE(of("histogram")->found.find("shop-live"), std::string::npos) << of("histogram")->found;
  label_ = "production";
  started_ = false;
  EXPECT_EQ(grade("histogram"), Grade::kBad);
  EXPECT_NE(of("histogram")->found.find("process_start_time_seconds"), std::string::npos);
  settings_.prometheus.started = "";
  EXPECT_EQ(grade("histogram"), Grade::kGood);
  plain_ = true;
  EXPECT_NE(of("histogram")->found.find("is no histogram"), std::string::npos);
  plain_ = false;
  settings_.prometheus.histogram = "other";
  EXPECT_EQ(grade("histogram"), Grade::kBad);
  EXPECT_FALSE(of("histogram")->isWrong()) << "a service that has just begun is not scraped yet";
}

TEST_F(LoopPreflightWorldTest, WhoDoesNotAnswerAndWhatIsNotThereAreUnavailable) {
  settings_.deploy = {"./deploy.sh"};
  EXPECT_EQ(grade("commands"), Grade::kBad);
  EXPECT_FALSE(of("commands")->isWrong()) << "it may come";
  settings_.prometheus.port = 1;
  EXPECT_EQ(of("Prometheus")->code, ErrorCode::kUnavailable);
  settings_.balancer_set = {};
  settings_.haproxy = {.socket = dir_.path() / "none", .backend = "app"};
  EXPECT_EQ(of("HAProxy")->code, ErrorCode::kUnavailable);
  const Json json = toJson(found_);
  EXPECT_FALSE(json["good"].get<bool>());
  EXPECT_EQ(json["checks"].size(), found_.findings.size());
}

TEST_F(LoopPreflightWorldTest, AnswersThatCannotBeComparedAreSaid) {
  settings_.answers.requests = dir_.path() / "requests";
  settings_.answers.pools.fill({"127.0.0.1", settings_.prometheus.port});
  EXPECT_EQ(grade("answers"), Grade::kBad);
  ASSERT_TRUE(writeFile(settings_.answers.requests, "GET /x\n"));
  EXPECT_EQ(grade("answers"), Grade::kGood) << of("answers")->found;
  settings_.answers.rate = 0.001;
  EXPECT_EQ(grade("answers"), Grade::kBad) << "nothing would be promoted";
  settings_.answers.pools[0].port = 1;
  EXPECT_EQ(of("answers")->code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace ordo::loop
