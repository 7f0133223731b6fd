// Reinforcement learning: from episodes that a policy went through to a better policy. Three algorithms
// share all but what they take for the advantage of a choice:
//
//   PPO           generalised advantage estimation with the value head as critic (losses.h: gae());
//                 Schulman et al., 2017, https://arxiv.org/abs/1707.06347
//   GRPO          the return of an episode among those of its program (losses.h: groupAdvantages()), the same
//                 for all of its choices, without a critic; Shao et al., 2024,
//                 https://arxiv.org/abs/2402.03300, section 4.1
//   REINFORCE++   the return over the mean of its program's, less what the policy has drifted since:
//                 A_t = R - mean R - beta sum_{i>=t} KL_i with KL_i = log pi(a_i|s_i) - log pi_ref(a_i|s_i),
//                 in standard deviations of the whole batch; Hu et al., 2025,
//                 https://arxiv.org/abs/2501.03262 (there "REINFORCE++ with baseline")
//
// All minimise the clipped objective (losses.h: ppoLoss()) - entropy * H, and PPO and GRPO + kl * KL to the
// reference, where there is one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "learn/network.h"
#include "policy/trajectory.h"

namespace ordo::learn {

enum class Algorithm { kPpo, kGrpo, kReinforcePlusPlus };

// "ppo", "grpo", "reinforce++"
std::string_view name(Algorithm algorithm);
// kUnsupported for any other text.
Result<Algorithm> algorithmOf(std::string_view text);

struct ReinforceOptions {
  Algorithm algorithm = Algorithm::kGrpo;
  // Credit each choice with the instructions that it saved, rather than the last with all. With discount 1
  // that is potential-based shaping (Ng, Harada & Russell, 1999) with the potential -instructions/baseline,
  // and changes no return. Only where instructions are the objective; GRPO and REINFORCE++ see returns only.
  bool immediate_reward = false;
  double floor = -0.1;  // no return is lower: how much worse than that does not matter
  // Nor lower than this quantile of its group: only the best teach, because a search keeps only its best
  // (risk-seeking policy gradients: Petersen et al., 2021, https://arxiv.org/abs/1912.04871, section 3.3;
  // there the rest is left out). Not where an answer is the only one. 0: all teach.
  double quantile = 0;
  double discount = 1;          // gamma
  double trace_decay = 0.95;    // lambda
  double clip = 0.2;            // epsilon
  double entropy = 0.01;        // its weight
  double kl = 0.02;             // weight, or beta
  double value_weight = 0.5;    // of the value's squared error
  double learning_rate = 3e-4;  // of Adam
  double max_gradient = 0.5;    // norm, of all weights together
  int epochs = 4;               // over each batch
  std::int64_t batch = 512;     // choices per step
};

// What an update saw and did.
struct UpdateReport {
  std::size_t episodes = 0, failed = 0, steps = 0;
  double mean_gain = 0, loss = 0, entropy = 0, kl = 0, clipped = 0;
};

// Keeps an optimiser for one network. REQUIRES: one thread; torch::manual_seed() decides the order of
// batches.
class Reinforcer {
 public:
  // The reference is what `network` is now, if `options.kl` is not 0. `network` must outlive this.
  Reinforcer(Network network, const ReinforceOptions& options);

  // From now on every step also minimises `weight` * KL(reference || network) over a few of these states,
  // drawn by chance, so that what the network knows of them is not forgotten while it learns something else.
  // `features` are [states, inputs].
  void keep(torch::Tensor features, double weight);

  // Learns from episodes that the network has just gone through. Groups without episodes teach nothing, nor
  // does a batch whose choices are all as good as each other.
  UpdateReport update(const std::vector<policy::TrajectoryGroup>& groups);

  torch::optim::Adam& optimizer() { return optimizer_; }

 private:
  struct Batch;
  Batch gather(const std::vector<policy::TrajectoryGroup>& groups, UpdateReport& report);
  torch::Tensor forgotten();
  void fillAdvantages(const std::vector<policy::TrajectoryGroup>& groups, Batch& batch);

  Network network_;
  ReinforceOptions options_;
  std::optional<Network> reference_;
  torch::Tensor kept_, kept_logits_;  // states to be kept, and what the network said of them at first
  double keep_weight_ = 0;
  torch::optim::Adam optimizer_;
};

}  // namespace ordo::learn
