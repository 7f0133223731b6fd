#include "env/sensor.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "env/compilergym.h"
#include "env/metric.h"
#include "support/text.h"

namespace ordo::env {

std::size_t Sensor::bytes() const {
  std::size_t count = elementBytes(dtype);
  for (const std::uint32_t extent : shape) count *= extent;
  return count;
}

std::vector<Sensor> allSensors(const BackendInfo& info, const std::vector<std::string>& baselines,
                               std::uint32_t actions, std::uint32_t max_steps) {
  using Source = Sensor::Source;
  std::vector<Sensor> all;
  for (const ObservationInfo& observation : info.observations) {
    std::vector<std::uint32_t> shape{observation.width};
    if (observation.columns != 0) shape = {0, observation.columns};
    all.push_back(
        {observation.name, Source::kBackend, observation.dtype, std::move(shape), "", observation.summary});
  }
  for (const MetricInfo& metric : info.metrics) {
    all.push_back({metric.name, Source::kMetric, DType::kFloat64, {1}, metric.unit, metric.summary});
    all.push_back({metric.name + "/initial",
                   Source::kValue,
                   DType::kFloat64,
                   {1},
                   metric.unit,
                   fmt::format("{} of the program as given", metric.name)});
    for (const std::string& baseline : baselines) {
      all.push_back({fmt::format("{}/{}", metric.name, baseline),
                     Source::kValue,
                     DType::kFloat64,
                     {1},
                     metric.unit,
                     fmt::format("{} after {}", metric.name, baseline)});
    }
  }
  if (max_steps != 0) {
    all.push_back({"action_history",
                   Source::kHistory,
                   DType::kInt64,
                   {max_steps},
                   "action",
                   "the actions of the episode so far, -1 after the last"});
  }
  all.push_back({"action_histogram",
                 Source::kHistogram,
                 DType::kInt64,
                 {actions},
                 "times",
                 "how often each action was applied in the episode"});
  for (const ExperimentInfo& experiment : experiments()) {
    all.push_back({std::string(experiment.name),
                   Source::kExperiment,
                   DType::kFloat64,
                   {1},
                   std::string(experiment.unit),
                   fmt::format("{}; NaN, because nothing measures it yet", experiment.summary)});
  }
  return all;
}

namespace {

// About a name that no sensor has: what may have been meant, and all there are.
std::string complaint(const std::vector<Sensor>& all, const std::string& name) {
  std::vector<std::string> names, listed;
  for (const Sensor& sensor : all) {
    names.push_back(sensor.name);
    if (sensor.source != Sensor::Source::kValue) listed.push_back(sensor.name);
  }
  const std::string guess = nearest(name, names);
  return fmt::format(
      "unknown observation '{}'{}{}; there are {}, and of each metric METRIC/initial and METRIC/BASELINE",
      name, hintForObservation(name), guess.empty() ? "" : fmt::format("; did you mean '{}'?", guess),
      fmt::join(listed, ", "));
}

}  // namespace

Result<std::vector<Sensor>> findSensors(const std::vector<Sensor>& all,
                                        const std::vector<std::string>& names) {
  std::vector<Sensor> found;
  for (const std::string& name : names) {
    const auto sensor =
        std::find_if(all.begin(), all.end(), [&](const Sensor& candidate) { return candidate.name == name; });
    if (sensor == all.end()) {
      return fail(ErrorCode::kInvalidArgument, "{}", complaint(all, name));
    }
    found.push_back(*sensor);
  }
  return found;
}

}  // namespace ordo::env
