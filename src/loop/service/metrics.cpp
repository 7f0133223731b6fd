#include "loop/service/metrics.h"

#include "loop/service/answers.h"
#include "loop/service/balancer_log.h"
#include "loop/service/prometheus.h"

namespace ordo::loop {

Result<std::unique_ptr<Metrics>> openMetrics(const Settings& settings, const Balancer& balancer) {
  std::unique_ptr<Metrics> metrics;
  if (!settings.log.empty()) {
    auto log = std::make_unique<LogMetrics>(settings.log, settings.haproxy, balancer);
    ORDO_TRY(log->begin());
    metrics = std::move(log);
  } else {
    ORDO_TRY_ASSIGN(PrometheusMetrics prometheus, PrometheusMetrics::create(settings.prometheus, balancer));
    metrics = std::make_unique<PrometheusMetrics>(std::move(prometheus));
  }
  if (settings.answers.requests.empty()) return metrics;
  ORDO_TRY_ASSIGN(auto answers, Answers::start(settings.answers, settings.loop.seed));
  return std::make_unique<AnsweredMetrics>(std::move(metrics), std::move(answers));
}

}  // namespace ordo::loop
