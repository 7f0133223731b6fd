// A batch is rows by chance, each epoch all of them once. Its sum of weighted losses stands for that of all
// rows, so it is scaled up by what share of the rows it has.
#include "learn/awr.h"

#include <cmath>
#include <numbers>

#include "learn/losses.h"

namespace ordo::learn {
namespace {

// Of each state, nats.
torch::Tensor divergences(const torch::Tensor& then, const torch::Tensor& logits) {
  return (then.exp() * (then - torch::log_softmax(logits, 1))).sum(1);
}

}  // namespace

AwrEpoch regress(Network& network, const Samples& samples, const AwrOptions& options,
                 const std::function<bool(const AwrEpoch&)>& on_epoch) {
  torch::manual_seed(options.seed);
  torch::Tensor logs, values;
  {
    const torch::NoGradGuard no_gradients;
    const NetworkImpl::Output output = network(samples.features);
    logs = torch::log_softmax(output.logits, 1);
    values = output.value;
  }
  torch::optim::Adam optimizer(network->parameters(),
                               torch::optim::AdamOptions(options.learning_rate).eps(1e-5));
  const std::int64_t size = samples.actions.size(0);
  AwrEpoch epoch;
  for (int number = 1; number <= options.epochs; ++number) {
    const double phase = std::numbers::pi * (number - 1) / options.epochs;
    static_cast<torch::optim::AdamOptions&>(optimizer.param_groups().front().options())
        .lr(options.learning_rate * (1 + std::cos(phase)) / 2);
    const torch::Tensor order = torch::randperm(size);
    for (std::int64_t first = 0; first < size; first += options.batch) {
      const torch::Tensor rows = order.slice(0, first, std::min(first + options.batch, size));
      const auto pick = [&](const torch::Tensor& all) { return all.index_select(0, rows); };
      const NetworkImpl::Output output = network(pick(samples.features));
      const torch::Tensor taken = logProbabilities(output.logits, pick(samples.actions));
      const double share = static_cast<double>(rows.size(0)) / static_cast<double>(size);
      const torch::Tensor lesson = -(pick(samples.weights) * taken).sum() / share;
      const torch::Tensor drift =
          divergences(pick(logs), output.logits) + (output.value - pick(values)).square();
      const torch::Tensor loss = lesson + options.kl * drift.mean();
      optimizer.zero_grad();
      loss.backward();
      torch::nn::utils::clip_grad_norm_(network->parameters(), options.max_gradient);
      optimizer.step();
    }
    const torch::NoGradGuard no_gradients;
    const torch::Tensor logits = network(samples.features).logits;
    epoch.epoch = number;
    epoch.loss = -(samples.weights * logProbabilities(logits, samples.actions)).sum().item<double>();
    epoch.kl = divergences(logs, logits).mean().item<double>();
    if (!on_epoch(epoch)) break;
  }
  return epoch;
}

double meanLogProbability(Network& network, const Samples& samples) {
  const torch::NoGradGuard no_gradients;
  return logProbabilities(network(samples.features).logits, samples.actions).mean().item<double>();
}

}  // namespace ordo::learn
