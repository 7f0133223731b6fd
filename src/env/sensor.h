// What an episode can observe: what the backend observes of a state, and what the episode knows by
// itself, such as the actions so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"

namespace ordo::env {

struct Sensor {
  enum class Source {
    kBackend,     // Session::observe(name)
    kMetric,      // Session::measure(name)
    kValue,       // of the program, constant in an episode: "METRIC/initial" or "METRIC/BASELINE"
    kHistory,     // the actions so far, -1 after the last
    kHistogram,   // how often each action was applied
    kExperiment,  // what only an Experiment tells (env/metric.h), which nothing in an episode asks: NaN
  };

  std::string name;
  Source source = Source::kBackend;
  DType dtype = DType::kInt64;
  std::vector<std::uint32_t> shape;  // an extent of 0 is decided by the program
  std::string unit;
  std::string summary;

  // Bytes of one observation; 0 if the program decides.
  std::size_t bytes() const;
  bool fixed() const { return bytes() != 0; }
};

// All sensors of a backend for a space of `actions` actions and episodes of at most `max_steps` steps
// (0: without limit, so that there is no action_history), with the baselines that values may refer to.
std::vector<Sensor> allSensors(const BackendInfo& info, const std::vector<std::string>& baselines,
                               std::uint32_t actions, std::uint32_t max_steps);

// The sensors of these names, in that order. kInvalidArgument that suggests the nearest name and
// lists all.
Result<std::vector<Sensor>> findSensors(const std::vector<Sensor>& all,
                                        const std::vector<std::string>& names);

}  // namespace ordo::env
