// An episode as a policy went through it: what reinforcement learning learns from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordo::policy {

struct TrajectoryStep {
  std::vector<float> features;             // Encoder::width() of them: what was seen
  std::uint32_t choice = 0;                // of the policy's actions; the last of them is stop
  std::vector<std::uint32_t> masked = {};  // what could not be chosen, because it leads nowhere
  float log_probability = 0;               // of that choice, when it was made
  // How many instructions fewer the program has after it, as a fraction of those under the baseline.
  float saved_instructions = 0;
};

struct Trajectory {
  std::vector<TrajectoryStep> steps;  // the last is stop, unless the episode was cut off or failed
  // What it came to over the baseline: 1 - value / baseline's, at least -1; -1 if it failed. Where a state's
  // value is known without measuring, the best state on the way counts: one can go back to it.
  double gain = 0;
  bool failed = false;
};

// Episodes of one program and objective.
struct TrajectoryGroup {
  std::string uri;
  std::string objective;  // or several (env/preference.h)
  bool only = false;      // as in Situation
  std::vector<Trajectory> episodes = {};
  std::string problem = {};  // why there are none: the program is to blame
};

}  // namespace ordo::policy
