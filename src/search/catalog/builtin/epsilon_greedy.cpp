// Epsilon-greedy search: greedy, but every step is a random action with a small fixed probability. One
// descent follows another, each from the next seed.
//
// Source: the "e-Greedy" of CompilerGym's leaderboard (Cummins et al., CGO 2022).
// Parameters: that probability (kEpsilon).
#include "search/searcher/descent.h"
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

constexpr double kEpsilon = 0.1;

class EpsilonGreedy final : public Searcher {
 public:
  void run(SearchContext& context) override {
    for (std::size_t round = 0; !context.done(); ++round)
      descend(context, context.seeds()[round % context.seeds().size()], kEpsilon);
  }
};

}  // namespace

extern constinit const SearcherInfo epsilon_greedy{
    .name = "epsilon_greedy",
    .summary = "the best single action at each step, or now and then a random one",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<EpsilonGreedy>(); }};

}  // namespace ordo::search
