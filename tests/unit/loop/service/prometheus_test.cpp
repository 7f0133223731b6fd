#include "loop/service/prometheus.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loop/service/haproxy.h"

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
                vector(sample("canary", "100.5")), vector(sample("canary", "7")), {});
  ASSERT_TRUE(figures[2]);
  EXPECT_EQ(figures[2]->latency.count(), 5u);
  EXPECT_EQ(figures[2]->at_s, 100.5);
  EXPECT_EQ(figures[2]->instance, "7.000");
  EXPECT_FALSE(figures[0]);
}

TEST(LoopPrometheusTest, WhatIsMissingTwiceOrNoNumberIsNotThere) {
  const std::string buckets = sample("canary", "5", "+Inf");
  const auto seen = [](const std::string& all, const std::string& scraped, const std::string& started) {
    return figuresOf(vector(all), vector(scraped), vector(started), {})[2].has_value();
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

// Labels as Prometheus 2.42 answered of an exposition with OpenTelemetry's names: here of two statuses and,
// made up, of two instances.
TEST(LoopPrometheusTest, SeriesThatDifferByTheirStatusAreOne) {
  const PrometheusOptions otel = {.histogram = "http_server_request_duration_seconds",
                                  .label = "service_name",
                                  .pools = {"shop", "shop-control", "shop-canary"},
                                  .sum_over = {"http_request_method", "http_response_status_code",
                                               "http_route", "instance", "service_instance_id", "url_scheme"},
                                  .started = ""};
  const auto series = [](const std::string& instance, int status, const std::string& value,
                         const std::string& le = "") {
    return fmt::format(
        R"({{"metric":{{"http_request_method":"GET","http_response_status_code":"{}","http_route":"/cart",)"
        R"("instance":"10.0.0.7:8889","job":"shop-canary","service_instance_id":"{}",)"
        R"("service_name":"shop-canary","url_scheme":"http"{}}},"value":[1764244000.5,"{}"]}})",
        status, instance,
        le.empty()
            ? ""
            : fmt::format(R"(,"le":"{}","__name__":"http_server_request_duration_seconds_bucket")", le),
        value);
  };
  const std::string buckets = series("a1", 200, "3", "0.005") + "," + series("a1", 200, "5", "+Inf") + "," +
                              series("a1", 500, "1", "0.005") + "," + series("a1", 500, "1", "+Inf") + "," +
                              series("b2", 200, "2", "0.005") + "," + series("b2", 200, "4", "+Inf");
  const std::string scraped =
      series("a1", 200, "100.5") + "," + series("a1", 500, "100.5") + "," + series("b2", 200, "99.5");
  const Figures figures = figuresOf(vector(buckets), vector(scraped), {}, otel);
  ASSERT_TRUE(figures[2]);
  EXPECT_EQ(figures[2]->latency.count(), 10u);
  EXPECT_EQ(figures[2]->latency.above(0.005), 4);
  EXPECT_EQ(figures[2]->at_s, 99.5) << "as old as the oldest of them";
  EXPECT_FALSE(figures[0]);

  const auto seen = [&](const PrometheusOptions& options, const std::string& started = "") {
    return figuresOf(vector(buckets), vector(scraped), vector(started), options)[2].has_value();
  };
  PrometheusOptions other = otel;
  other.sum_over.pop_back();
  EXPECT_TRUE(seen(other)) << "they do not differ by url_scheme";
  other.sum_over = {"http_response_status_code"};
  EXPECT_FALSE(seen(other)) << "nobody said that several instances are one pool";
  other = otel;
  other.started = "process_start_time_seconds";
  EXPECT_FALSE(seen(other)) << "there is none";
  EXPECT_TRUE(seen(other, series("a1", 200, "7") + "," + series("b2", 200, "8")));
  EXPECT_FALSE(seen(other, series("a1", 200, "7") + "," + series("b2", 200, "NaN")));
  EXPECT_FALSE(
      figuresOf(vector(buckets + "," + series("b2", 200, "4", "+Inf")), vector(scraped), {}, otel)[2])
      << "the same series twice";
  EXPECT_FALSE(
      figuresOf(vector(buckets + "," + series("c3", 200, "NaN", "+Inf")), vector(scraped), {}, otel)[2]);
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

TEST(LoopPrometheusTest, TellsTheScrapeIntervalFromSamples) {
  const auto interval = [](const std::string& values) {
    return readScrapeInterval(
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{},\"values\":"
        "[" +
        values + "]}]}}");
  };
  EXPECT_NEAR(**interval("[15.1,\"1\"],[30.1,\"2\"],[45.1,\"2\"],[90.1,\"3\"]"), 15, 1e-6)
      << "one scrape failed";
  EXPECT_FALSE(*interval("[15,\"1\"],[30,\"2\"]")) << "one gap is no interval";
  EXPECT_FALSE(*interval("[15,\"1\"],3,[],[\"x\"]"));
  EXPECT_FALSE(readScrapeInterval("[]"));
  EXPECT_FALSE(readScrapeInterval("{\"data\":3}"));
}

TEST(LoopPrometheusTest, NamesThatCouldBeQueriesAreRefused) {
  const Haproxy haproxy = *Haproxy::create({.socket = "/proc/nonexistent", .backend = "app"});
  const auto takes = [&](const PrometheusOptions& options) {
    return PrometheusMetrics::create(options, haproxy).has_value();
  };
  EXPECT_TRUE(takes({.histogram = "latency_seconds", .selector = {{"job", "shop"}}}));
  EXPECT_FALSE(takes({.histogram = "a{b}"}));
  EXPECT_FALSE(takes({.histogram = ""}));
  EXPECT_FALSE(takes({.histogram = "a", .label = "x=\"y\","}));
  EXPECT_FALSE(takes({.histogram = "a", .selector = {{"job", "\"} or vector(1)"}}}));
  EXPECT_FALSE(takes({.histogram = "a", .selector = {{"j ob", "x"}}}));
  EXPECT_TRUE(takes({.histogram = "a", .sum_over = {"http_route"}, .started = ""}));
  EXPECT_FALSE(takes({.histogram = "a", .sum_over = {"http.route"}}));
  EXPECT_FALSE(takes({.histogram = "a", .started = "x{}"}));
  EXPECT_FALSE(takes({.histogram = "a", .pools = {"a", "b", "c|d"}}));
  EXPECT_FALSE(takes({.histogram = "a", .pools = {"a", "b", "b"}})) << "one pool is not two";
  EXPECT_FALSE(takes({.histogram = "a", .pools = {"", "b", "c"}}));
  for (const char* const label : {"pool", "le", "job"})
    EXPECT_FALSE(takes({.histogram = "a", .selector = {{"job", "x"}}, .sum_over = {label}})) << label;
}

TEST(LoopPrometheusTest, WithoutAnybodyThereItIsAnError) {
  const Haproxy haproxy = *Haproxy::create({.socket = "/proc/nonexistent", .backend = "app"});
  PrometheusMetrics metrics =
      *PrometheusMetrics::create({.port = 1, .histogram = "a", .timeout_s = 0.2}, haproxy);
  EXPECT_FALSE(metrics.read());
  EXPECT_NE(metrics.problem().find("127.0.0.1:1"), std::string::npos)
      << "nothing is swallowed: " << metrics.problem();
}

}  // namespace
}  // namespace ordo::loop
