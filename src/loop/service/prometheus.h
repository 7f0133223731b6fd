// Prometheus by its HTTP API: the buckets of one histogram for the three pools, as they were last scraped.
// How they are put together is ours, so that what is stored is counts and not somebody's quantile.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loop/controller/world.h"
#include "loop/service/balancer.h"

namespace ordo::loop {

struct PrometheusOptions {
  std::string host = "127.0.0.1";
  int port = 9090;
  std::string histogram;       // without "_bucket"
  std::string label = "pool";  // whose values say which pool a series is of
  std::array<std::string, kPools> pools = {"production", "control", "canary"};  // the values
  std::map<std::string, std::string> selector = {};                             // other labels that all have
  // Labels by which the series of a pool may differ; these are put together (status, route, instance, ...).
  std::vector<std::string> sum_over = {};
  std::string started = "process_start_time_seconds";  // when a process began; "" if nobody says
  double timeout_s = 2;
};

// Latencies from Prometheus, and from the balancer who is up, errors and redispatches.
class PrometheusMetrics final : public Metrics {
 public:
  // kInvalidArgument if a name is none of Prometheus: they go into queries. `balancer` has to outlive it.
  static Result<PrometheusMetrics> create(const PrometheusOptions& options, const Balancer& balancer);

  Result<Figures> read() override;
  std::string problem() const override { return problem_; }

 private:
  PrometheusMetrics(PrometheusOptions options, const Balancer& balancer)
      : options_(std::move(options)), balancer_(balancer) {}
  Result<Figures> latencies() const;

  PrometheusOptions options_;
  const Balancer& balancer_;
  std::string problem_;
};

// What it says to an instant query, of 16 MiB at most. kUnavailable or kCorrupt, with its address and what to
// do.
Result<std::string> askPrometheus(const PrometheusOptions& options, const std::string& text);

// What stands between braces of a query for series of `pools`, a value of the label or several with |
// between.
std::string labelsOf(const PrometheusOptions& options, const std::string& pools);

// Seconds between samples, by the answer to a query for the last minutes of a series; nothing if there are
// too few. kCorrupt if it is no answer.
Result<std::optional<double>> readScrapeInterval(std::string_view body);

// One element of an instant vector.
struct Sample {
  std::map<std::string, std::string> labels;
  double value = 0;
};

// The answer to an instant query. kUnavailable if it says that it failed, kCorrupt if it is no answer.
Result<std::vector<Sample>> readVector(std::string_view body);

// What the three queries say: buckets, when they were scraped, when the processes began. A pool with anything
// missing, twice but for labels of `sum_over`, or not a number is not there. Of several processes the oldest
// scrape counts, and which began last.
Figures figuresOf(const std::vector<Sample>& buckets, const std::vector<Sample>& scraped,
                  const std::vector<Sample>& started, const PrometheusOptions& options);

}  // namespace ordo::loop
