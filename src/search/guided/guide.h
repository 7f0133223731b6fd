// A policy as a guide in one search: it continues sequences, and learns from what they turned out to be
// worth.
//
// What it learns stays with the search. The network is as it was trained; added to its logits is a bias for
// each action, which follows the policy gradient (REINFORCE: R. J. Williams, Machine Learning 8, 1992):
// after a batch, bias += rate * mean over rollouts of advantage * sum over steps of (1[a] - pi(.|s)), with
// the advantage in standard deviations of the batch's costs. So a pass that pays for this program is proposed
// sooner, and one that does not is left.
#pragma once

#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "policy/choose.h"
#include "policy/view.h"
#include "search/searcher/context.h"

namespace ordo::search {

// For ablations.
struct GuideOptions {
  bool shuffled = false;   // learns from each rollout what another was worth
  bool unbounded = false;  // promising() takes any state, whatever the policy expects
};

// Belongs to one search; one thread at a time.
class Guide {
 public:
  // Nothing, if the policy cannot serve this search: it knows too few of its actions, or not its objective.
  static Result<std::unique_ptr<Guide>> create(std::shared_ptr<const policy::Policy> policy,
                                               SearchContext& context, const GuideOptions& options = {});

  struct Proposal {
    Sequence start;          // what it is to continue
    double temperature = 0;  // of the choice of each action; 0 takes the likeliest
    std::size_t least = 0;   // stop at no shorter sequence than this
    // Choose one action only, which is not to stop, and go on with `rest`: a change of a known sequence.
    bool once = false;
    Sequence rest = {};
    bool only = false;      // the policy is to answer as if there were no other try (policy::kOnlySteps)
    Sequence opening = {};  // what to follow from `start` on, before the policy chooses anything
    bool ends = false;      // where the opening does
  };

  // Evaluates a continuation of each, and learns from what they are worth. Where the objective is known of
  // every state on the way and one of them is better than the best known, that one is evaluated as well. The
  // first proposal of a search has to start from the program as given: what it looks like then is what all
  // later states are compared with. REQUIRES: not empty.
  std::vector<Evaluation> evaluate(std::vector<Proposal> proposals);

  // What the policy observes of each state.
  const std::vector<std::string>& observations() const { return view_.observations(); }

  // A sequence to go on from: of some states on the way of former rollouts, drawn by chance, the one from
  // which the policy expects to gain most. Empty as long as there are none.
  Sequence promising();

 private:
  // A rollout as the policy took it.
  struct Trace {
    Rng rng{0};
    policy::Network::Scratch scratch;
    std::vector<float> features;
    std::vector<double> gradient;  // sum over steps of 1[a] - pi, by logit
    std::size_t opened = 0;        // of Proposal::opening
    std::size_t resumed = 0;       // of Proposal::rest
    // The best state on the way, where its value is known without measuring: after how many actions.
    double least = std::numeric_limits<double>::infinity();
    std::size_t least_at = 0;
    std::vector<std::pair<Sequence, float>> expected = {};  // of states on the way: what the policy expects
  };

  Guide(policy::View view, SearchContext& context, const GuideOptions& options);

  std::optional<env::ActionIndex> choose(const Proposal& proposal, Trace& trace, const Sequence& so_far,
                                         const RolloutState& state);
  bool endedAt(const Hash128& state, bool ends);
  void learn(std::span<const Evaluation> results, std::span<const Trace> traces);
  void goBack(std::span<const Evaluation> results, std::span<const Trace> traces);

  policy::View view_;
  SearchContext& context_;
  GuideOptions options_;
  std::vector<float> bias_;  // by logit
  std::uint64_t rollouts_ = 0;
  std::vector<std::pair<Sequence, float>> expected_;  // of the latest states: what the policy expects to gain
  std::size_t next_expected_ = 0;
  // States, as the policy sees them, where rollouts have ended: to end there again would measure nothing new.
  std::mutex mutex_;
  std::set<Hash128> ends_;
};

}  // namespace ordo::search
