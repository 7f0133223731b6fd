// Reinforcement learning of a policy, from start to end: which programs when, how it stands on others, and
// which weights are kept.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaigns/stage.h"
#include "env/metric.h"
#include "learn/reinforce.h"
#include "policy/policy.h"
#include "prior/proposals.h"
#include "trainer/grounds.h"

namespace ordo::trainer {

struct PractiseOptions {
  learn::ReinforceOptions reinforce;
  std::uint64_t rollouts = 12'800;
  std::size_t programs = 16;  // of a batch
  std::size_t group = 16;     // episodes of each of them
  std::vector<std::string> objectives{env::kIrInstructions, env::kTextBytes};
  // Of the exercises: all the objectives at once, each with a weight by chance (env/preference.h), so that
  // any preference among them is as likely as any other.
  double preference_share = 0;
  // In the first half, only programs up to a size that grows from kSmallest instructions to all.
  bool curriculum = true;
  double only_share = 1;            // of the exercises: each episode is to be the only answer
  torch::Tensor kept;               // states [states, inputs] at which the network is to stay as it is
  double keep = 1;                  // weight of that; see learn::Reinforcer::keep()
  std::size_t judge_every = 5;      // batches
  std::vector<std::string> judges;  // programs by which the weights to keep are chosen; none: the last
  // They judge by the greedy answer; and, if this is more than one, as much by the best of so many with
  // chance.
  std::size_t judge_episodes = 1;
  std::size_t patience = 0;  // judgements without a better one before it ends; 0: to the end
  // What is proposed for programs. Of the episodes of one that has proposals as many of the first begin with
  // all of one, each in its turn, as there are; of the later ones `prior_share` with a part of one, from its
  // beginning.
  std::shared_ptr<const prior::File> prior = nullptr;
  double prior_share = 0.5;
  std::uint64_t seed = 1;
  std::string checkpoint;  // a file to go on from, or ""
};

struct PractiseReport {
  std::uint64_t batch = 0, rollouts = 0;
  double seconds = 0;
  learn::UpdateReport update;
  double judged = 0;          // mean gain on the judges (judge()), a fraction; as of the last judgement
  bool is_best = false;       // of all judgements so far
  std::vector<double> gains;  // of the batch's episodes, in their order; a failure's is -1
};

// Trains `network` and leaves it as it was when the judges liked it best. Ctrl-C (`stop`) ends it early, with
// what is best so far. Errors are the stage's.
Result<PractiseReport> practise(learn::Network& network, const policy::PolicyInfo& info,
                                campaigns::Stage& stage, const std::vector<Ground>& grounds,
                                const PractiseOptions& options, const std::atomic<bool>& stop,
                                const std::function<void(const PractiseReport&)>& on_batch);

// The policy that `network` is now.
Result<std::shared_ptr<const policy::Policy>> policyOf(const policy::PolicyInfo& info,
                                                       const learn::Network& network);

// The mean gain over the baseline for all programs and objectives, as a fraction: of the greedy answer,
// whatever that is, or of the best of several that are drawn, at least 0. A failure gains nothing.
Result<double> judge(const std::shared_ptr<const policy::Policy>& policy, campaigns::Stage& stage,
                     const std::vector<std::string>& programs, const std::vector<std::string>& objectives,
                     std::size_t episodes);

}  // namespace ordo::trainer
