// Search::run() repeats runGeneration(): draft around one of the best, learn a ridge regression from what was
// measured last, then build and run a few of the drafts that wait (tryOne()), the one predicted best or one
// by chance. Before anything is drafted around a leader it is run again, so that one that was only lucky
// falls back (chooseParent()). As long as there are too few examples all is chance. It ends with the budget,
// the stop flag, or many generations in a row without another program.
#include "runtime/immediate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "search/knowledge/ridge.h"
#include "support/correlation.h"
#include "support/rng.h"
#include "timing/field_experiment.h"

namespace ordo::runtime {
namespace {

constexpr std::size_t kFewestExamples = 8;  // to learn from
constexpr std::size_t kMostExamples = 200;  // the latest: to learn takes the cube of their number
constexpr std::size_t kMostDrafts = 200;    // that wait to be built, the latest
constexpr std::size_t kParents = 3;         // the best, of which one is drafted around
constexpr unsigned kFruitless = 10;         // generations in a row without another program, at the end
constexpr double kByChance = 0.25;

class Search {
 public:
  Search(Workshop& workshop, const search::Sequence& start, const Clock& clock,
         const ImmediateOptions& options)
      : workshop_(workshop),
        start_(start),
        clock_(clock),
        options_(options),
        end_s_(clock.seconds() + options.budget_s),
        experiment_(workshop.field(), clock, {.quantity = options.quantity, .stop = options.stop}),
        rng_(options.seed) {}

  Result<ImmediateResult> run() {
    for (unsigned fruitless = 0; fruitless < kFruitless && !done(); ++generation_) {
      ORDO_TRY_ASSIGN(const bool any, runGeneration());
      fruitless = any ? 0 : fruitless + 1;
    }
    result_.leaders = byScore();
    if (result_.leaders.size() > options_.leaders) result_.leaders.resize(options_.leaders);
    result_.refused = static_cast<std::size_t>(
        std::ranges::count_if(measured_, [](const auto& entry) { return !entry.second.standing.sound(); }));
    for (const auto& [candidate, measured] : measured_) result_.standings.push_back(measured.standing);
    result_.rewards.predicted = predictions_.size();
    result_.rewards.rank_correlation = spearman(predictions_, rewards_);
    return std::move(result_);
  }

 private:
  struct Measured {
    Proposal proposal;
    timing::Standing standing;
  };

  bool done() const { return clock_.seconds() >= end_s_ || (options_.stop != nullptr && *options_.stop); }

  // Candidates that did what the baseline does, the fastest first.
  std::vector<std::size_t> byScore() const {
    std::vector<std::size_t> order;
    for (const auto& [candidate, measured] : measured_) {
      if (measured.standing.sound() && !measured.standing.pairs.empty()) order.push_back(candidate);
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const double of_a = measured_.at(a).standing.score(), of_b = measured_.at(b).standing.score();
      return of_a != of_b ? of_a > of_b : a < b;
    });
    return order;
  }

  // Whether any other program was run.
  Result<bool> runGeneration() {
    if (options_.on_step)
      options_.on_step(fmt::format("generation {}, {} programs run", generation_ + 1, measured_.size()));
    ORDO_TRY_ASSIGN(const search::Sequence parent, chooseParent());
    ORDO_TRY_ASSIGN(std::vector<Proposal> proposals, workshop_.propose(parent, options_.drafted));
    std::ranges::move(proposals, std::back_inserter(drafts_));
    if (drafts_.size() > kMostDrafts)
      drafts_.erase(drafts_.begin(), drafts_.end() - static_cast<std::ptrdiff_t>(kMostDrafts));
    const std::optional<search::Ridge> surrogate = learn();
    const std::size_t before = measured_.size();
    for (std::size_t i = 0; i < options_.built && !drafts_.empty() && !done(); ++i)
      ORDO_TRY(tryOne(surrogate));
    return measured_.size() > before;
  }

  // One of the best so far, the baseline being one of them as long as few are better. It is run again first:
  // who is best of many was lucky, and nothing should be built on luck.
  Result<search::Sequence> chooseParent() {
    std::vector<std::size_t> order = byScore();
    std::erase_if(order, [&](std::size_t i) { return measured_.at(i).standing.score() <= 0; });
    const std::size_t place = rng_.below(kParents);
    if (place >= order.size()) return start_;
    Measured& measured = measured_.at(order[place]);
    ORDO_TRY(runPairs(measured.standing));
    return measured.proposal.actions;
  }

  // Of the next draft, by its prediction or by chance.
  Status tryOne(const std::optional<search::Ridge>& surrogate) {
    std::size_t next = rng_.below(drafts_.size());
    if (surrogate && !rng_.chance(kByChance)) {
      const auto best = std::ranges::max_element(
          drafts_, {}, [&](const Proposal& proposal) { return surrogate->predict(proposal.features); });
      next = static_cast<std::size_t>(best - drafts_.begin());
    }
    const Proposal proposal = std::move(drafts_[next]);
    drafts_.erase(drafts_.begin() + static_cast<std::ptrdiff_t>(next));

    ORDO_TRY_ASSIGN(const Added added, workshop_.add(proposal.actions));
    if (added.code != Added::Code::kNew) {
      result_.rewards.known += added.code != Added::Code::kNone;
      return {};
    }
    Measured& measured = measured_[added.candidate] = {proposal, {.candidate = added.candidate}};
    ORDO_TRY(runPairs(measured.standing));
    if (!surrogate || !measured.standing.sound() || measured.standing.pairs.empty()) return {};
    predictions_.push_back(surrogate->predict(proposal.features));
    rewards_.push_back(measured.standing.score());
    return {};
  }

  Status runPairs(timing::Standing& standing) {
    for (std::size_t i = 0; i < options_.pairs && standing.sound(); ++i)
      ORDO_TRY(timing::runPair(experiment_, rng_, standing));
    return {};
  }

  // Nothing as long as there is too little to learn from.
  std::optional<search::Ridge> learn() const {
    std::vector<search::Ridge::Row> rows;
    std::vector<double> targets;
    for (const auto& [candidate, measured] : measured_) {
      if (!measured.standing.sound() || measured.standing.pairs.empty()) continue;
      rows.push_back(measured.proposal.features);
      targets.push_back(measured.standing.score());
    }
    if (rows.size() < kFewestExamples) return std::nullopt;
    const std::size_t old = rows.size() - std::min(rows.size(), kMostExamples);
    return search::Ridge(std::span(rows).subspan(old), std::span(targets).subspan(old));
  }

  Workshop& workshop_;
  const search::Sequence& start_;
  const Clock& clock_;
  const ImmediateOptions& options_;
  const double end_s_;
  timing::FieldExperiment experiment_;
  Rng rng_;
  unsigned generation_ = 0;
  std::vector<Proposal> drafts_;              // that nobody has built, in the order they came
  std::map<std::size_t, Measured> measured_;  // by candidate of the field
  std::vector<double> predictions_, rewards_;
  ImmediateResult result_;
};

}  // namespace

Result<ImmediateResult> searchByTime(Workshop& workshop, const search::Sequence& start, const Clock& clock,
                                     const ImmediateOptions& options) {
  return Search(workshop, start, clock, options).run();
}

}  // namespace ordo::runtime
