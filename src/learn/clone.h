// The supervised start: a policy that does what the best sequences of searches did.
#pragma once

#include <functional>
#include <vector>

#include "learn/network.h"
#include "learn/samples.h"

namespace ordo::learn {

struct CloneOptions {
  int epochs = 100;   // at most
  int patience = 10;  // epochs without a lower held-out loss before it ends
  std::int64_t batch = 256;
  double learning_rate = 1e-3;  // of AdamW, falling to 0 as a cosine over the epochs
  double weight_decay = 1e-2;
  double value_weight = 1;  // of the value's squared error beside the actions' loss
  std::uint64_t seed = 1;
};

// What an epoch came to, on what it learned from and on what was held out.
struct CloneEpoch {
  int epoch = 0;
  double loss = 0, held_out_loss = 0;  // of the actions, weighted: nats per step
  double held_out_accuracy = 0;        // weighted share of steps whose action is the likeliest
  double held_out_value_error = 0;     // root of the weighted mean square
};

// Trains `network` by AdamW (Loshchilov & Hutter, 2019) on cloningLoss() and the value's squared error, and
// leaves it as it was after the epoch with the lowest held-out loss, whose report is returned. Stops after an
// epoch for which `on_epoch` returns false. With one torch thread the same options and samples give the
// same weights. REQUIRES: neither set is empty.
CloneEpoch clone(Network& network, const Samples& samples, const Samples& held_out,
                 const CloneOptions& options, const std::function<bool(const CloneEpoch&)>& on_epoch);

}  // namespace ordo::learn
