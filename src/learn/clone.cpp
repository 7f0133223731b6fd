#include "learn/clone.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "learn/losses.h"

namespace ordo::learn {
namespace {

// Of all samples, without learning.
CloneEpoch judge(Network& network, const Samples& samples) {
  const torch::NoGradGuard no_gradients;
  const NetworkImpl::Output output = network(samples.features);
  const torch::Tensor weights = samples.weights / samples.weights.sum();
  const auto mean = [&](const torch::Tensor& values) { return (weights * values).sum().item<double>(); };
  CloneEpoch epoch;
  epoch.held_out_loss =
      cloningLoss(logProbabilities(output.logits, samples.actions), samples.weights).item<double>();
  epoch.held_out_accuracy = mean(output.logits.argmax(1).eq(samples.actions).to(torch::kFloat));
  epoch.held_out_value_error = std::sqrt(mean((output.value - samples.values).square()));
  return epoch;
}

}  // namespace

CloneEpoch clone(Network& network, const Samples& samples, const Samples& held_out,
                 const CloneOptions& options, const std::function<bool(const CloneEpoch&)>& on_epoch) {
  torch::manual_seed(options.seed);
  torch::optim::AdamW optimizer(
      network->parameters(),
      torch::optim::AdamWOptions(options.learning_rate).weight_decay(options.weight_decay));
  const std::int64_t size = samples.actions.size(0);
  CloneEpoch best;
  best.held_out_loss = std::numeric_limits<double>::infinity();
  std::vector<policy::Tensor> best_weights = weightsOf(network);
  for (int number = 1; number <= options.epochs; ++number) {
    const double phase = std::numbers::pi * (number - 1) / options.epochs;
    static_cast<torch::optim::AdamWOptions&>(optimizer.param_groups().front().options())
        .lr(options.learning_rate * (1 + std::cos(phase)) / 2);
    const torch::Tensor order = torch::randperm(size);
    double loss = 0, weight = 0;
    for (std::int64_t first = 0; first < size; first += options.batch) {
      const torch::Tensor rows = order.slice(0, first, std::min(first + options.batch, size));
      const NetworkImpl::Output output = network(samples.features.index_select(0, rows));
      const torch::Tensor weights = samples.weights.index_select(0, rows);
      const torch::Tensor actions_loss =
          cloningLoss(logProbabilities(output.logits, samples.actions.index_select(0, rows)), weights);
      const torch::Tensor errors = (output.value - samples.values.index_select(0, rows)).square();
      const torch::Tensor total =
          actions_loss + options.value_weight * (weights * errors).sum() / weights.sum();
      optimizer.zero_grad();
      total.backward();
      optimizer.step();
      const double batch_weight = weights.sum().item<double>();
      loss += actions_loss.item<double>() * batch_weight;
      weight += batch_weight;
    }
    CloneEpoch epoch = judge(network, held_out);
    epoch.epoch = number;
    epoch.loss = loss / weight;
    if (epoch.held_out_loss < best.held_out_loss) {
      best = epoch;
      best_weights = weightsOf(network);
    }
    if (!on_epoch(epoch) || number - best.epoch >= options.patience) break;
  }
  ORDO_CHECK(setWeights(network, best_weights).has_value(), "its own weights do not fit");
  return best;
}

}  // namespace ordo::learn
