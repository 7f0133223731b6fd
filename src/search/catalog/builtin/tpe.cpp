// Tree-structured Parzen estimator: models what good sequences look like and what the others do, and
// evaluates next what is most likely good rather than not. A sequence is a tree of choices: first its
// length, then an action at each position there is; each choice has a categorical density of its own,
// counted and smoothed. The seeds are observations too.
//
// Source: J. Bergstra et al., "Algorithms for hyper-parameter optimization", NeurIPS 2011; the numbers are
//   those of Optuna (T. Akiba et al., KDD 2019).
// Parameters: random sequences to begin with (kStartup), share and greatest number of the good ones
//   (kGoodShare, kMaxGood), draws from their density per proposal (kDraws), weight of the uniform prior
//   in observations (kPrior).
#include <algorithm>
#include <cmath>

#include "search/searcher/searcher.h"
#include "search/searcher/seen.h"

namespace ordo::search {
namespace {

constexpr std::size_t kStartup = 10;
constexpr double kGoodShare = 0.1;
constexpr std::size_t kMaxGood = 25;
constexpr std::size_t kDraws = 24;
constexpr double kPrior = 1;

// Counts of one choice.
class Categorical {
 public:
  explicit Categorical(std::size_t choices) : counts_(choices) {}

  void add(std::size_t choice) {
    counts_[choice] += 1;
    total_ += 1;
  }

  std::size_t draw(Rng& rng) const {
    double at = rng.uniform() * (total_ + kPrior);
    if (at >= total_) return rng.below(counts_.size());
    std::size_t choice = 0;
    while (choice + 1 < counts_.size() && (at -= counts_[choice]) >= 0) ++choice;
    return choice;
  }

  // How much more likely the choice is here than among those of `all` that are not here, as a logarithm.
  double advantage(const Categorical& all, std::size_t choice) const {
    const double prior = kPrior / static_cast<double>(counts_.size());
    const double here = (counts_[choice] + prior) / (total_ + kPrior);
    const double rest = all.counts_[choice] - counts_[choice];
    return std::log(here / ((rest + prior) / (all.total_ - total_ + kPrior)));
  }

 private:
  std::vector<double> counts_;
  double total_ = 0;
};

// The density of sequences.
class Density {
 public:
  explicit Density(const SearchContext& context)
      : length_(context.maxLength() + 1),
        positions_(context.maxLength(), Categorical(context.actions().size())) {}

  void add(const Sequence& sequence) {
    length_.add(sequence.size());
    for (std::size_t i = 0; i < sequence.size(); ++i) positions_[i].add(sequence[i]);
  }

  Sequence draw(Rng& rng) const {
    Sequence sequence(length_.draw(rng));
    for (std::size_t i = 0; i < sequence.size(); ++i)
      sequence[i] = static_cast<env::ActionIndex>(positions_[i].draw(rng));
    return sequence;
  }

  double advantage(const Density& all, const Sequence& sequence) const {
    double sum = length_.advantage(all.length_, sequence.size());
    for (std::size_t i = 0; i < sequence.size(); ++i)
      sum += positions_[i].advantage(all.positions_[i], sequence[i]);
    return sum;
  }

 private:
  Categorical length_;
  std::vector<Categorical> positions_;
};

class Tpe final : public Searcher {
 public:
  void run(SearchContext& context) override {
    Model model(context);
    for (const Evaluation& seed : context.seeds()) model.observe(seed);
    std::vector<Sequence> batch(kStartup);
    for (Sequence& sequence : batch) sequence = context.randomSequence();
    while (!context.done()) {
      for (const Evaluation& result : context.evaluate(std::move(batch))) model.observe(result);
      batch = model.propose(context.lanes());
    }
  }

 private:
  class Model {
   public:
    explicit Model(SearchContext& context) : context_(context), all_(context) {}

    void observe(const Evaluation& result) {
      if (!seen_.insert(result.actions)) return;
      ++observations_;
      all_.add(result.actions);
      leaders_.insert(std::ranges::upper_bound(leaders_, result, ranksBefore), result);
      if (leaders_.size() > kMaxGood) leaders_.pop_back();
    }

    std::vector<Sequence> propose(std::size_t count) {
      Density good(context_);
      const auto share = static_cast<std::size_t>(std::ceil(kGoodShare * static_cast<double>(observations_)));
      for (std::size_t i = 0; i < std::min(share, leaders_.size()); ++i) good.add(leaders_[i].actions);
      std::vector<Sequence> result;
      while (result.size() < count) result.push_back(proposeOne(good));
      return result;
    }

   private:
    // The likeliest new one of some draws, or one from chance if none is new.
    Sequence proposeOne(const Density& good) {
      Sequence best = context_.randomSequence();
      double best_advantage = -HUGE_VAL;
      for (std::size_t i = 0; i < kDraws; ++i) {
        Sequence drawn = good.draw(context_.rng());
        const double advantage = good.advantage(all_, drawn);
        if (advantage <= best_advantage || seen_.contains(drawn)) continue;
        best = std::move(drawn);
        best_advantage = advantage;
      }
      return best;
    }

    SearchContext& context_;
    Density all_;
    std::size_t observations_ = 0;
    std::vector<Evaluation> leaders_;  // best first
    Seen seen_;
  };
};

}  // namespace

extern constinit const SearcherInfo tpe{
    .name = "tpe",
    .summary = "tree-structured Parzen estimator: what good sequences have and others have not",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Tpe>(); }};

}  // namespace ordo::search
