// Greedy search: from where it stands it tries every action, takes the best, and stops when none
// improves. Each further round starts from the next seed and takes a random action now and then
// (epsilon, larger in each round), so that it keeps looking while budget is left.
//
// Source: CompilerGym's greedy agent (Cummins et al., CGO 2022); its "e-Greedy" is `epsilon_greedy`.
// Parameters: growth of epsilon per round of all seeds (kEpsilonStep) and its ceiling (kMaxEpsilon).
#include <algorithm>

#include "search/searcher/descent.h"
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

constexpr double kEpsilonStep = 0.05;
constexpr double kMaxEpsilon = 0.5;

class Greedy final : public Searcher {
 public:
  void run(SearchContext& context) override {
    const std::size_t seeds = context.seeds().size();
    for (std::size_t round = 0; !context.done(); ++round) {
      const auto rounds_of_all = static_cast<double>(round / seeds);
      descend(context, context.seeds()[round % seeds], std::min(kMaxEpsilon, kEpsilonStep * rounds_of_all));
    }
  }
};

}  // namespace

extern constinit const SearcherInfo greedy{
    .name = "greedy",
    .summary = "the best single action at each step, then again with some chance",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Greedy>(); }};

}  // namespace ordo::search
