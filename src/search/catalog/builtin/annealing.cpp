// Simulated annealing: makes one small change after another, keeps what is not worse, and also what is
// worse by a fraction d with probability exp(-d / temperature). The temperature falls geometrically with
// the share of the budget that is used, so that any budget ends cold; without a limit it stays hot.
// Starts from the best seed; one chain per lane.
//
// Source: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science
//   220, 1983.
// Parameters: first and last temperature, as relative changes of the cost (kHot, kCold); the
//   neighbourhood is neighbour() of variation.h.
#include <cmath>

#include "search/searcher/searcher.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr double kHot = 0.02;
constexpr double kCold = 0.0002;

class Annealing final : public Searcher {
 public:
  void run(SearchContext& context) override {
    std::vector<Evaluation> chains(context.lanes(), context.best());
    while (!context.done()) {
      const double temperature = kHot * std::pow(kCold / kHot, context.progress());
      std::vector<Sequence> batch;
      for (const Evaluation& here : chains) batch.push_back(neighbour(context, here.actions));
      std::vector<Evaluation> next = context.evaluate(std::move(batch));
      for (std::size_t i = 0; i < chains.size(); ++i) {
        const double worse = relativeCost(next[i], chains[i]) - 1;
        if (context.rng().chance(std::exp(-worse / temperature))) chains[i] = std::move(next[i]);
      }
    }
  }
};

}  // namespace

extern constinit const SearcherInfo annealing{
    .name = "annealing",
    .summary = "simulated annealing: small changes, the worse ones ever more rarely",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Annealing>(); }};

}  // namespace ordo::search
