#include "loop/service/metrics.h"

#include "loop/service/balancer_log.h"
#include "loop/service/prometheus.h"

namespace ordo::loop {

Result<std::unique_ptr<Metrics>> openMetrics(const Settings& settings, const Balancer& balancer) {
  if (!settings.log.empty()) {
    auto log = std::make_unique<LogMetrics>(settings.log, settings.haproxy, balancer);
    ORDO_TRY(log->begin());
    return log;
  }
  ORDO_TRY_ASSIGN(PrometheusMetrics metrics, PrometheusMetrics::create(settings.prometheus, balancer));
  return std::make_unique<PrometheusMetrics>(std::move(metrics));
}

}  // namespace ordo::loop
