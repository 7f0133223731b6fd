// Reinforcer::update() is the whole of it: gather() puts all choices of all episodes one after the other into
// tensors, fillAdvantages() goes through them in the same order, and then each epoch takes a step for each
// batch of a new random order. What the reference says of the choices is asked once per update. Masked
// actions get a logit so small that they have no part in the softmax. GRPO's advantages are standardised
// within their groups; those of the others are within all choices of the update.
#include "learn/reinforce.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/metric.h"
#include "learn/losses.h"

namespace ordo::learn {
namespace {

using policy::Trajectory;
using policy::TrajectoryGroup;

constexpr std::array<std::pair<Algorithm, std::string_view>, 3> kNames{{
    {Algorithm::kPpo, "ppo"},
    {Algorithm::kGrpo, "grpo"},
    {Algorithm::kReinforcePlusPlus, "reinforce++"},
}};

constexpr std::int64_t kKept = 256;  // states of each step that are not to be forgotten

// (x - mean) / std, or 0 where all are equal.
torch::Tensor standardised(const torch::Tensor& x) {
  return (x - x.mean()) / (x.std(/*unbiased=*/false) + 1e-8);
}

// Logits of which those that are masked are out of the question.
torch::Tensor masking(const torch::Tensor& logits, const torch::Tensor& masked) {
  return logits.masked_fill(masked, -1e9);
}

// What each episode came to, as far as it matters.
std::vector<float> returnsOf(const TrajectoryGroup& group, const ReinforceOptions& options) {
  std::vector<float> returns;
  for (const Trajectory& episode : group.episodes)
    returns.push_back(static_cast<float>(std::max(episode.gain, options.floor)));
  if (options.quantile == 0 || group.only || returns.empty()) return returns;
  std::vector<float> ordered = returns;
  std::ranges::sort(ordered);
  const auto place = static_cast<std::size_t>(options.quantile * static_cast<double>(ordered.size() - 1));
  for (float& value : returns) value = std::max(value, ordered[place]);
  return returns;
}

// Reward of each step; together they are the episode's return: its gain, or, with immediate rewards, the gain
// less what the program as given is worse than the baseline, which no choice can change.
std::vector<float> rewardsOf(const Trajectory& episode, bool immediate, float outcome) {
  std::vector<float> rewards(episode.steps.size(), 0);
  if (rewards.empty()) return rewards;
  if (!immediate || episode.failed) {
    rewards.back() = outcome;
    return rewards;
  }
  for (std::size_t i = 0; i < rewards.size(); ++i) rewards[i] = episode.steps[i].saved_instructions;
  return rewards;
}

}  // namespace

std::string_view name(Algorithm algorithm) {
  return std::ranges::find(kNames, algorithm, &std::pair<Algorithm, std::string_view>::first)->second;
}

Result<Algorithm> algorithmOf(std::string_view text) {
  const auto found = std::ranges::find(kNames, text, &std::pair<Algorithm, std::string_view>::second);
  if (found == kNames.end())
    return fail(ErrorCode::kUnsupported, "no algorithm '{}'; there are ppo, grpo and reinforce++", text);
  return found->first;
}

// All choices of all episodes, one after the other.
struct Reinforcer::Batch {
  torch::Tensor features, actions, old_log_probabilities;
  torch::Tensor masked;                       // true where an action could not be chosen
  torch::Tensor reference_log_probabilities;  // undefined without a reference
  torch::Tensor advantages, value_targets;    // by choice
};

Reinforcer::Reinforcer(Network network, const ReinforceOptions& options)
    : network_(std::move(network)),
      options_(options),
      optimizer_(network_->parameters(), torch::optim::AdamOptions(options.learning_rate).eps(1e-5)) {
  if (options_.kl == 0) return;
  reference_ = Network(network_->shape());
  ORDO_CHECK(setWeights(*reference_, weightsOf(network_)).has_value(), "its own weights do not fit");
}

void Reinforcer::keep(torch::Tensor features, double weight) {
  const torch::NoGradGuard no_gradients;
  kept_logits_ = torch::log_softmax(network_(features).logits, 1);
  kept_ = std::move(features);
  keep_weight_ = weight;
}

// KL(reference || network) over a few of the states to be kept.
torch::Tensor Reinforcer::forgotten() {
  const torch::Tensor rows = torch::randint(kept_.size(0), {kKept}, torch::kLong);
  const torch::Tensor then = kept_logits_.index_select(0, rows);
  const torch::Tensor now = torch::log_softmax(network_(kept_.index_select(0, rows)).logits, 1);
  return (then.exp() * (then - now)).sum(1).mean();
}

Reinforcer::Batch Reinforcer::gather(const std::vector<TrajectoryGroup>& groups, UpdateReport& report) {
  std::vector<float> features, log_probabilities;
  std::vector<std::int64_t> actions;
  std::vector<std::pair<std::int64_t, std::int64_t>> masked;
  for (const TrajectoryGroup& group : groups) {
    for (const Trajectory& episode : group.episodes) {
      ++report.episodes;
      report.failed += episode.failed;
      report.mean_gain += episode.gain;
      for (const policy::TrajectoryStep& step : episode.steps) {
        for (const std::uint32_t action : step.masked)
          masked.emplace_back(static_cast<std::int64_t>(actions.size()), action);
        features.insert(features.end(), step.features.begin(), step.features.end());
        actions.push_back(step.choice);
        log_probabilities.push_back(step.log_probability);
      }
    }
  }
  report.steps = actions.size();
  if (report.episodes > 0) report.mean_gain /= static_cast<double>(report.episodes);
  Batch batch;
  if (actions.empty()) return batch;
  batch.features = torch::tensor(features).view(
      {static_cast<std::int64_t>(actions.size()), static_cast<std::int64_t>(network_->shape().inputs)});
  batch.actions = torch::tensor(actions);
  batch.masked = torch::zeros(
      {static_cast<std::int64_t>(actions.size()), static_cast<std::int64_t>(network_->shape().actions)},
      torch::kBool);
  auto mask = batch.masked.accessor<bool, 2>();
  for (const auto& [row, action] : masked) mask[row][action] = true;
  batch.old_log_probabilities = torch::tensor(log_probabilities);
  if (reference_) {
    const torch::NoGradGuard no_gradients;
    batch.reference_log_probabilities =
        logProbabilities(masking((*reference_)(batch.features).logits, batch.masked), batch.actions);
  }
  return batch;
}

void Reinforcer::fillAdvantages(const std::vector<TrajectoryGroup>& groups, Batch& batch) {
  const torch::NoGradGuard no_gradients;
  const std::int64_t steps = batch.actions.size(0);
  batch.advantages = torch::zeros({steps});
  batch.value_targets = torch::zeros({steps});
  const bool ppo = options_.algorithm == Algorithm::kPpo;
  const torch::Tensor values = ppo ? network_(batch.features).value : torch::Tensor();
  std::int64_t first = 0;
  for (const TrajectoryGroup& group : groups) {
    const std::vector<float> returns = returnsOf(group, options_);
    const auto episodes = static_cast<std::int64_t>(returns.size());
    if (episodes == 0) continue;
    const float mean = std::accumulate(returns.begin(), returns.end(), 0.0f) / static_cast<float>(episodes);
    const torch::Tensor relative = groupAdvantages(torch::tensor(returns).view({1, episodes})).view({-1});
    for (std::int64_t i = 0; i < episodes; ++i) {
      const Trajectory& episode = group.episodes[static_cast<std::size_t>(i)];
      const auto length = static_cast<std::int64_t>(episode.steps.size());
      if (length == 0) continue;
      const float outcome = returns[static_cast<std::size_t>(i)];
      const auto own = [&](torch::Tensor& all) { return all.slice(0, first, first + length); };
      switch (options_.algorithm) {
        case Algorithm::kPpo: {
          const bool immediate = options_.immediate_reward && group.objective == env::kIrInstructions;
          const torch::Tensor rewards = torch::tensor(rewardsOf(episode, immediate, outcome));
          const torch::Tensor baselines =
              torch::cat({values.slice(0, first, first + length), torch::zeros({1})});
          const torch::Tensor advantages = gae(rewards, baselines, options_.discount, options_.trace_decay);
          own(batch.advantages).copy_(advantages);
          own(batch.value_targets).copy_(advantages + baselines.slice(0, 0, length));
          break;
        }
        case Algorithm::kGrpo:
          own(batch.advantages).fill_(relative[i].item<float>());
          own(batch.value_targets).fill_(outcome);
          break;
        case Algorithm::kReinforcePlusPlus: {
          torch::Tensor drift = torch::zeros({length});
          if (reference_) {
            const torch::Tensor kl =
                own(batch.old_log_probabilities) - own(batch.reference_log_probabilities);
            drift = kl.flip(0).cumsum(0).flip(0);
          }
          own(batch.advantages).copy_(outcome - mean - options_.kl * drift);
          own(batch.value_targets).fill_(outcome);
          break;
        }
      }
      first += length;
    }
  }
  if (options_.algorithm != Algorithm::kGrpo) batch.advantages = standardised(batch.advantages);
}

UpdateReport Reinforcer::update(const std::vector<TrajectoryGroup>& groups) {
  UpdateReport report;
  Batch batch = gather(groups, report);
  if (report.steps == 0) return report;
  fillAdvantages(groups, batch);
  const bool penalise = reference_ && options_.algorithm != Algorithm::kReinforcePlusPlus;
  const auto steps = static_cast<std::int64_t>(report.steps);
  double batches = 0;
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    const torch::Tensor order = torch::randperm(steps);
    for (std::int64_t first = 0; first < steps; first += options_.batch) {
      const torch::Tensor rows = order.slice(0, first, std::min(first + options_.batch, steps));
      const auto pick = [&](const torch::Tensor& all) { return all.index_select(0, rows); };
      const NetworkImpl::Output output = network_(pick(batch.features));
      const torch::Tensor logits = masking(output.logits, pick(batch.masked));
      const torch::Tensor now = logProbabilities(logits, pick(batch.actions));
      const torch::Tensor old = pick(batch.old_log_probabilities);
      const torch::Tensor entropy = entropies(logits).mean();
      torch::Tensor loss = ppoLoss(now, old, pick(batch.advantages), options_.clip) -
                           options_.entropy * entropy +
                           options_.value_weight * (output.value - pick(batch.value_targets)).square().mean();
      torch::Tensor kl = torch::zeros({});
      if (reference_) {
        kl = klEstimates(now, pick(batch.reference_log_probabilities)).mean();
        if (penalise) loss = loss + options_.kl * kl;
      }
      if (keep_weight_ > 0) loss = loss + keep_weight_ * forgotten();
      optimizer_.zero_grad();
      loss.backward();
      torch::nn::utils::clip_grad_norm_(network_->parameters(), options_.max_gradient);
      optimizer_.step();
      ++batches;
      report.loss += loss.item<double>();
      report.entropy += entropy.item<double>();
      report.kl += kl.item<double>();
      report.clipped +=
          ((now - old).exp() - 1).abs().gt(options_.clip).to(torch::kFloat).mean().item<double>();
    }
  }
  for (double* const sum : {&report.loss, &report.entropy, &report.kl, &report.clipped}) *sum /= batches;
  return report;
}

}  // namespace ordo::learn
