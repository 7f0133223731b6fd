#include "learn/losses.h"

namespace ordo::learn {

torch::Tensor logProbabilities(const torch::Tensor& logits, const torch::Tensor& actions) {
  return torch::log_softmax(logits, 1).gather(1, actions.unsqueeze(1)).squeeze(1);
}

torch::Tensor entropies(const torch::Tensor& logits) {
  const torch::Tensor logs = torch::log_softmax(logits, 1);
  // 0 log 0 is 0, where the logit of what is not legal is -infinity.
  return -(logs.exp() * logs.clamp_min(-1e9)).sum(1);
}

torch::Tensor cloningLoss(const torch::Tensor& log_probabilities, const torch::Tensor& weights) {
  return -(weights * log_probabilities).sum() / weights.sum();
}

torch::Tensor ppoLoss(const torch::Tensor& log_probabilities, const torch::Tensor& old_log_probabilities,
                      const torch::Tensor& advantages, double epsilon) {
  const torch::Tensor ratio = (log_probabilities - old_log_probabilities).exp();
  return -torch::minimum(ratio * advantages, ratio.clamp(1 - epsilon, 1 + epsilon) * advantages).mean();
}

torch::Tensor klEstimates(const torch::Tensor& log_probabilities, const torch::Tensor& reference) {
  const torch::Tensor log_q = reference - log_probabilities;
  return log_q.exp() - log_q - 1;
}

torch::Tensor gae(const torch::Tensor& rewards, const torch::Tensor& values, double gamma, double lambda) {
  torch::Tensor advantages = torch::zeros_like(rewards);
  torch::Tensor next = torch::zeros({}, rewards.options());
  for (std::int64_t t = rewards.size(0) - 1; t >= 0; --t) {
    next = rewards[t] + gamma * values[t + 1] - values[t] + gamma * lambda * next;
    advantages[t] = next;
  }
  return advantages;
}

torch::Tensor groupAdvantages(const torch::Tensor& returns) {
  const torch::Tensor mean = returns.mean(1, true);
  return (returns - mean) / (returns.std(1, false, true) + 1e-6);
}

}  // namespace ordo::learn
