// A plain generational genetic algorithm over sequences of varying length, without seeds and without
// anything that is known about compilers: what every better method has to beat.
//
// Source: J. H. Holland, "Adaptation in Natural and Artificial Systems", 1975; for pass sequences K. D.
//   Cooper et al., "Optimizing for reduced code space using genetic algorithms", LCTES 1999.
// Parameters: individuals (kPopulation), survivors of a generation (kElite), tournament size
//   (kTournament), probability that a child has two parents (kCrossover: one-point or two-point, as
//   crossed() of variation.h). A child has one mutated action on average.
#include <algorithm>

#include "search/searcher/searcher.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kPopulation = 50;
constexpr std::size_t kElite = 2;
constexpr std::size_t kTournament = 3;
constexpr double kCrossover = 0.8;

class Genetic final : public Searcher {
 public:
  void run(SearchContext& context) override {
    std::vector<Sequence> first(kPopulation);
    for (Sequence& sequence : first) sequence = context.randomSequence();
    std::vector<Evaluation> population = context.evaluate(std::move(first));
    while (!context.done()) {
      std::ranges::sort(population, ranksBefore);
      std::vector<Sequence> children(kPopulation - kElite);
      for (Sequence& child : children) child = breed(context, population);
      population.resize(kElite);
      std::ranges::move(context.evaluate(std::move(children)), std::back_inserter(population));
    }
  }

 private:
  static Sequence breed(SearchContext& context, std::span<const Evaluation> population) {
    const auto parent = [&] {
      return population[tournament(context.rng(), population.size(), kTournament)].actions;
    };
    Sequence child = parent();
    if (context.rng().chance(kCrossover)) child = crossed(context, child, parent());
    const double rate = 1 / static_cast<double>(std::max<std::size_t>(child.size(), 1));
    return mutated(context, std::move(child), rate);
  }
};

}  // namespace

extern constinit const SearcherInfo genetic{
    .name = "genetic",
    .summary = "a plain genetic algorithm, without the seeds",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Genetic>(); }};

}  // namespace ordo::search
