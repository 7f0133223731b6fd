// What a policy should do where, from what searches found: each step of each of a run's best sequences is a
// sample, and to stop at its end is one too.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "experience/experience.h"
#include "policy/encoder.h"
#include "support/error.h"

namespace ordo::learn {

struct Samples {
  torch::Tensor features;  // [samples, Encoder::width()]
  torch::Tensor actions;   // [samples] int64: an index into the header's actions, or their number: to stop
  torch::Tensor weights;   // [samples], positive
  torch::Tensor values;    // [samples]: what the sequence gained in the end over the baseline, as a fraction
  std::vector<std::string> packages;  // of each sample: its program's URI up to the second '/'
};

// How much a sequence counts. A run counts kLeastWeight + min(gain / kFullGain, 1), the gain being that of
// its best sequence over the baseline, as a fraction: also where nothing can be gained that is worth
// learning. That is shared among its sequences by softmax(gain / kTemperature), and by each among its steps.
inline constexpr double kLeastWeight = 0.1;
inline constexpr double kFullGain = 0.05;
inline constexpr double kTemperature = 0.005;

// Of all `runs`, which have their states. kInvalidArgument if they have none, or teach nothing, or if the
// header has not the observations of policy::kInputs.
Result<Samples> samplesOf(const experience::Header& header, const std::vector<experience::Run>& runs,
                          const policy::Encoder& encoder);

// The features of those samples whose answer is one of many (policy::Situation): [states, Encoder::width()].
torch::Tensor amongMany(const Samples& samples);

// The samples of about `share` of the packages, which packages depends on their names only, and the others.
std::pair<Samples, Samples> holdOut(const Samples& samples, double share);

}  // namespace ordo::learn
