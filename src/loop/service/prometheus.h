// Prometheus by its HTTP API: the buckets of one histogram for the three pools, as they were last scraped.
// How they are put together is ours, so that what is stored is counts and not somebody's quantile.
#pragma once

#include <map>
#include <string>

#include "loop/controller/world.h"
#include "loop/service/balancer.h"

namespace ordo::loop {

struct PrometheusOptions {
  std::string host = "127.0.0.1";
  int port = 9090;
  std::string histogram;                             // without "_bucket"
  std::string label = "pool";                        // whose values are the names of the pools
  std::map<std::string, std::string> selector = {};  // other labels that the series have
  double timeout_s = 2;
};

// Latencies from Prometheus, and from the balancer who is up, errors and redispatches.
class PrometheusMetrics final : public Metrics {
 public:
  // kInvalidArgument if a name is none of Prometheus: they go into queries. `balancer` has to outlive it.
  static Result<PrometheusMetrics> create(const PrometheusOptions& options, const Balancer& balancer);

  Result<Figures> read() override;

 private:
  PrometheusMetrics(PrometheusOptions options, const Balancer& balancer)
      : options_(std::move(options)), balancer_(balancer) {}
  Result<Figures> latencies() const;
  Result<std::string> query(const std::string& text) const;

  PrometheusOptions options_;
  const Balancer& balancer_;
};

// One element of an instant vector.
struct Sample {
  std::map<std::string, std::string> labels;
  double value = 0;
};

// The answer to an instant query. kUnavailable if it says that it failed, kCorrupt if it is no answer.
Result<std::vector<Sample>> readVector(std::string_view body);

// What the three queries say: buckets, when they were scraped, when the processes began. A pool with anything
// missing, twice, or not a number is not there.
Figures figuresOf(const std::vector<Sample>& buckets, const std::vector<Sample>& scraped,
                  const std::vector<Sample>& started, const std::string& label);

}  // namespace ordo::loop
