// What trainers minimise, each a formula from its paper. All tensors are float, batches first; logits of
// actions that are not legal are -infinity or very small, and never those of the action taken.
#pragma once

#include <torch/torch.h>

namespace ordo::learn {

// log softmax(logits)[action]. logits [batch, actions], actions [batch] int64; [batch].
torch::Tensor logProbabilities(const torch::Tensor& logits, const torch::Tensor& actions);

// -sum p log p over actions, [batch].
torch::Tensor entropies(const torch::Tensor& logits);

// Behaviour cloning: sum_i w_i (-log pi(a_i|s_i)) / sum_i w_i. All [batch]. REQUIRES: weights are not
// negative and not all 0.
torch::Tensor cloningLoss(const torch::Tensor& log_probabilities, const torch::Tensor& weights);

// The clipped objective of PPO, negated: -E[min(r A, clip(r, 1-epsilon, 1+epsilon) A)] with
// r = exp(log pi - log pi_old) (Schulman et al., 2017, https://arxiv.org/abs/1707.06347, equation 7).
// All [batch].
torch::Tensor ppoLoss(const torch::Tensor& log_probabilities, const torch::Tensor& old_log_probabilities,
                      const torch::Tensor& advantages, double epsilon);

// KL(pi || pi_ref) of each sample by the estimator q - log q - 1 with q = pi_ref(a)/pi(a), which is unbiased
// and never negative (Shao et al., 2024, https://arxiv.org/abs/2402.03300, equation 4; Schulman, 2020).
// [batch].
torch::Tensor klEstimates(const torch::Tensor& log_probabilities, const torch::Tensor& reference);

// Generalised advantage estimation of one episode: A_t = sum_k (gamma lambda)^k delta_{t+k} with
// delta_t = r_t + gamma V(s_{t+1}) - V(s_t) (Schulman et al., 2016, https://arxiv.org/abs/1506.02438,
// equation 16). rewards [steps]; values [steps + 1], whose last is that of the state after the last step, 0
// if the episode ended there. [steps].
torch::Tensor gae(const torch::Tensor& rewards, const torch::Tensor& values, double gamma, double lambda);

// GRPO's advantages: of each group, the episodes of one program, (R - mean R) / (std R + 1e-6) with the
// population's standard deviation (Shao et al., 2024, section 4.1.2). returns [groups, episodes]; the same.
torch::Tensor groupAdvantages(const torch::Tensor& returns);

}  // namespace ordo::learn
