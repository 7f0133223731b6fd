// Advantage-weighted regression (Peng et al., 2019, https://arxiv.org/abs/1910.00177): a policy becomes more
// like sequences by what each turned out to be worth, and stays near what it was.
#pragma once

#include <functional>

#include "learn/network.h"
#include "learn/samples.h"

namespace ordo::learn {

struct AwrOptions {
  int epochs = 100;
  std::int64_t batch = 256;
  double learning_rate = 5e-4;  // of Adam, falling to 0 as a cosine over the epochs
  double kl = 1;                // weight of staying what it was, in the samples' states
  double max_gradient = 0.5;    // norm, of all weights together
  std::uint64_t seed = 1;
};

// What an epoch came to: of the samples, weighted, and how far the network is from what it was.
struct AwrEpoch {
  int epoch = 0;
  double loss = 0;  // sum of weight * -log pi(a|s)
  double kl = 0;    // mean of KL(what it was || what it is), nats
};

// Minimises, by Adam,
//   sum_i w_i -log pi(a_i|s_i)  +  kl * mean_i [ KL(pi_0(.|s_i) || pi(.|s_i)) + (v(s_i) - v_0(s_i))^2 ]
// with pi_0 and v_0 what the network was. The weights are absolute: what is all noise, and weighs little,
// moves it less than what is known (loop/learning/lessons.h: lessonWeights()). With one torch thread the same
// options and samples give the same weights. REQUIRES: there are samples; their weights are not negative.
// Stops after an epoch for which `on_epoch` returns false; the last is returned.
AwrEpoch regress(Network& network, const Samples& samples, const AwrOptions& options,
                 const std::function<bool(const AwrEpoch&)>& on_epoch);

// The mean of log pi(a|s) over the samples, nats.
double meanLogProbability(Network& network, const Samples& samples);

}  // namespace ordo::learn
