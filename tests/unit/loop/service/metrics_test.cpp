#include "loop/service/metrics.h"

#include <gtest/gtest.h>

#include "loop/service/balancer_log.h"
#include "support/files.h"
#include "tests/fakes/counted_balancer.h"

namespace ordo::loop {
namespace {

TEST(LoopMetricsTest, AreOfTheLogOrOfPrometheus) {
  const fakes::CountedBalancer balancer;
  Settings settings;
  settings.prometheus.histogram = "latency_seconds";
  EXPECT_NE(dynamic_cast<PrometheusMetrics*>(openMetrics(settings, balancer)->get()), nullptr);
  settings.log = "/proc/nonexistent";
  EXPECT_EQ(openMetrics(settings, balancer).error().code, ErrorCode::kNotFound)
      << "said before anything begins";
  const TempDir dir = *TempDir::create();
  settings.log = dir.path() / "log";
  ASSERT_TRUE(writeFile(settings.log, ""));
  EXPECT_NE(dynamic_cast<LogMetrics*>(openMetrics(settings, balancer)->get()), nullptr);
  settings = {};
  settings.prometheus.histogram = "a{b}";
  EXPECT_FALSE(openMetrics(settings, balancer));
}

}  // namespace
}  // namespace ordo::loop
