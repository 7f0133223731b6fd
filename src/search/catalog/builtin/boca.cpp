// BOCA, Bayesian optimisation for compiler autotuning. A random forest predicts what sequences cost. The
// few actions that matter most to it are tried in all combinations of in and out, each with several
// settings of everything else; what promises the greatest expected improvement is evaluated. The number
// of settings of everything else decays, as there is less and less to learn from them.
//
// BOCA was made for unordered flags. Here a flag is an action that occurs in the sequence or does not, and
// a setting of everything else is the best so far, a cross of two leaders or a random sequence, so that
// order and repetition are searched too. The seeds are observations.
//
// Source: J. Chen, N. Xu, P. Chen and H. Zhang, "Efficient compiler autotuning via Bayesian optimization",
//   ICSE 2021; the forest is Breiman's (forest.h).
// Parameters: random sequences to begin with (kInitial), impactful actions (kImpactful), settings of the
//   rest at first (kSettings) and their decay, by half kHalfLife observations after kOffset and ever
//   faster, as in the paper; share of a cross that is drawn again (kMutation).
#include <algorithm>
#include <cmath>

#include "search/searcher/searcher.h"
#include "search/searcher/surrogate.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kInitial = 10;
constexpr std::size_t kImpactful = 8;
constexpr double kSettings = 4;
constexpr double kOffset = 20;
constexpr double kHalfLife = 10;
constexpr double kMutation = 0.1;

class Boca final : public Searcher {
 public:
  void run(SearchContext& context) override {
    searchBySurrogate(context, kInitial,
                      [&](const Surrogate& surrogate) { return propose(context, surrogate); });
  }

 private:
  static std::vector<Candidate> propose(SearchContext& context, const Surrogate& surrogate) {
    std::vector<env::ActionIndex> impactful = surrogate.byImportance();
    impactful.resize(std::min(impactful.size(), kImpactful));
    std::vector<Candidate> candidates;
    for (std::size_t combination = 0; combination < std::size_t{1} << impactful.size(); ++combination) {
      candidates.push_back({combine(context, context.best().actions, impactful, combination)});
      for (std::size_t i = settings(surrogate.observations()); i > 0; --i)
        candidates.push_back({combine(context, setting(context), impactful, combination)});
    }
    for (Candidate& candidate : candidates)
      candidate.score = surrogate.expectedImprovement(candidate.actions);
    return candidates;
  }

  static std::size_t settings(std::size_t observations) {
    const double late = std::max(0.0, static_cast<double>(observations) - kOffset) / kHalfLife;
    return 1 + static_cast<std::size_t>(kSettings * std::exp2(-late * late));
  }

  static Sequence setting(SearchContext& context) {
    if (context.rng().chance(0.5)) return context.randomSequence();
    const Evaluation& a = context.rng().pick(std::span(context.leaders()));
    const Evaluation& b = context.rng().pick(std::span(context.leaders()));
    return mutated(context, crossed(context, a.actions, b.actions), kMutation);
  }

  // `rest` with those impactful actions that have a bit in `combination` and without the others.
  static Sequence combine(SearchContext& context, Sequence rest, std::span<const env::ActionIndex> impactful,
                          std::size_t combination) {
    for (std::size_t i = 0; i < impactful.size(); ++i) {
      if ((combination >> i & 1) == 0) {
        std::erase(rest, impactful[i]);
      } else if (std::ranges::find(rest, impactful[i]) == rest.end()) {
        insertSomewhere(context, rest, impactful[i]);
      }
    }
    return rest;
  }

  static void insertSomewhere(SearchContext& context, Sequence& sequence, env::ActionIndex action) {
    if (sequence.size() == context.maxLength()) {
      context.rng().pick(std::span(sequence)) = action;
      return;
    }
    const auto at = static_cast<std::ptrdiff_t>(context.rng().between(0, sequence.size()));
    sequence.insert(sequence.begin() + at, action);
  }
};

}  // namespace

extern constinit const SearcherInfo boca{
    .name = "boca",
    .summary = "Bayesian optimisation: a random forest, the actions that matter, the rest at random",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Boca>(); }};

}  // namespace ordo::search
