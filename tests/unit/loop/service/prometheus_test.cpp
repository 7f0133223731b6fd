#include "loop/service/prometheus.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordo::loop {
namespace {

std::string answer(const std::string& results) {
  return "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[" + results + "]}}";
}

std::string sample(const std::string& pool, const std::string& value, const std::string& le = "") {
  return fmt::format("{{\"metric\":{{\"pool\":\"{}\"{}}},\"value\":[1.5,\"{}\"]}}", pool,
                     le.empty() ? "" : fmt::format(",\"le\":\"{}\"", le), value);
}

std::vector<Sample> vector(const std::string& results) { return *readVector(answer(results)); }

TEST(LoopPrometheusTest, PutsBucketsTogether) {
  const Figures figures =
      figuresOf(vector(sample("canary", "3", "0.1") + "," + sample("canary", "5", "+Inf") + "," +
                       sample("other", "5", "+Inf")),
                vector(sample("canary", "100.5")), vector(sample("canary", "7")), "pool");
  ASSERT_TRUE(figures[2]);
  EXPECT_EQ(figures[2]->latency.count(), 5u);
  EXPECT_EQ(figures[2]->at_s, 100.5);
  EXPECT_EQ(figures[2]->instance, "7.000");
  EXPECT_FALSE(figures[0]);
}

TEST(LoopPrometheusTest, WhatIsMissingTwiceOrNoNumberIsNotThere) {
  const std::string buckets = sample("canary", "5", "+Inf");
  const auto seen = [](const std::string& all, const std::string& scraped, const std::string& started) {
    return figuresOf(vector(all), vector(scraped), vector(started), "pool")[2].has_value();
  };
  const std::string one = sample("canary", "1");
  EXPECT_TRUE(seen(buckets, one, one));
  EXPECT_FALSE(seen("", one, one));
  EXPECT_FALSE(seen(buckets, "", one));
  EXPECT_FALSE(seen(buckets, one + "," + one, one)) << "two processes say that they are the canary";
  EXPECT_FALSE(seen(buckets, one, sample("canary", "NaN")));
  EXPECT_FALSE(seen(sample("canary", "NaN", "+Inf"), one, one));
  EXPECT_FALSE(seen(sample("canary", "5", "0.1"), one, one));
  EXPECT_FALSE(seen(buckets + "," + buckets, one, one));
  EXPECT_FALSE(seen(sample("canary", "5", "x") + "," + buckets, one, one));
}

TEST(LoopPrometheusTest, AnAnswerThatIsNoneIsRefused) {
  EXPECT_EQ(readVector("{\"status\":\"error\",\"error\":\"too slow\"}").error().message,
            "Prometheus says: too slow");
  for (const std::string& body :
       {std::string(), std::string("[]"), std::string("{\"status\":\"success\"}"), answer("1"), answer("{}"),
        answer("{\"metric\":{},\"value\":[1]}"), answer("{\"metric\":{},\"value\":[1,\"x\"]}"),
        answer("{\"metric\":3,\"value\":[1,\"1\"]}"), std::string(5000, '[')})
    EXPECT_FALSE(readVector(body)) << body;
}

TEST(LoopPrometheusTest, NamesThatCouldBeQueriesAreRefused) {
  const Haproxy haproxy = *Haproxy::create({.socket = "/nonexistent", .backend = "app"});
  const auto takes = [&](const PrometheusOptions& options) {
    return PrometheusMetrics::create(options, haproxy).has_value();
  };
  EXPECT_TRUE(takes({.histogram = "latency_seconds", .selector = {{"job", "shop"}}}));
  EXPECT_FALSE(takes({.histogram = "a{b}"}));
  EXPECT_FALSE(takes({.histogram = ""}));
  EXPECT_FALSE(takes({.histogram = "a", .label = "x=\"y\","}));
  EXPECT_FALSE(takes({.histogram = "a", .selector = {{"job", "\"} or vector(1)"}}}));
  EXPECT_FALSE(takes({.histogram = "a", .selector = {{"j ob", "x"}}}));
}

TEST(LoopPrometheusTest, WithoutAnybodyThereItIsAnError) {
  const Haproxy haproxy = *Haproxy::create({.socket = "/nonexistent", .backend = "app"});
  PrometheusMetrics metrics =
      *PrometheusMetrics::create({.port = 1, .histogram = "a", .timeout_s = 0.2}, haproxy);
  EXPECT_FALSE(metrics.read());
}

}  // namespace
}  // namespace ordo::loop
