// Genetic search on the synergy graph: individuals are walks along pairs of actions that helped each other
// on training programs. The best tenth are parents; a child crosses two of them at a common action, and half
// of the children are walked anew from some place on. After the last generation a new population is
// made of walks, as long as there is budget. Without knowledge every step is to any action.
//
// Source: find_best_pass_sequence of Compiler-R1 (arXiv 2506.15701), whose definition of a synergy is that of
//   knowledge.h; written anew from its description.
// Parameters: those of the paper's code: individuals, generations, share of parents, probability of a
// mutation
//   and lengths of walks (the constants below).
#include <algorithm>

#include "search/searcher/searcher.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kPopulation = 100;
constexpr std::size_t kGenerations = 10;
constexpr std::size_t kParents = kPopulation / 10;
constexpr double kMutation = 0.5;
constexpr std::size_t kShortestWalk = 10;
constexpr std::size_t kLongestWalk = 30;

class Walker {
 public:
  explicit Walker(SearchContext& context) : context_(context), successors_(context.actions().size()) {
    for (const Knowledge::Synergy& synergy : context.knowledge().synergies) {
      if (successors_[synergy.first].empty()) starts_.push_back(synergy.first);
      successors_[synergy.first].push_back({synergy.second, synergy.programs});
    }
  }

  Sequence walk() {
    return extended({}, context_.rng().between(std::min(kShortestWalk, context_.maxLength()),
                                               std::min(kLongestWalk, context_.maxLength())));
  }

  // Walked anew from a random place on; as long as it was.
  Sequence mutated(Sequence sequence) {
    const std::size_t length = sequence.size();
    sequence.resize(context_.rng().between(0, length));
    return extended(std::move(sequence), length);
  }

 private:
  struct Edge {
    env::ActionIndex to;
    double weight;
  };

  Sequence extended(Sequence sequence, std::size_t length) {
    while (sequence.size() < length) sequence.push_back(sequence.empty() ? start() : step(sequence.back()));
    return sequence;
  }

  env::ActionIndex start() {
    return starts_.empty() ? context_.randomAction() : context_.rng().pick(std::span(starts_));
  }

  // In proportion to the weights; from a dead end to any start.
  env::ActionIndex step(env::ActionIndex from) {
    const std::vector<Edge>& edges = successors_[from];
    if (edges.empty()) return start();
    double total = 0;
    for (const Edge& edge : edges) total += edge.weight;
    double at = context_.rng().uniform() * total;
    for (const Edge& edge : edges) {
      if ((at -= edge.weight) < 0) return edge.to;
    }
    return edges.back().to;
  }

  SearchContext& context_;
  std::vector<std::vector<Edge>> successors_;
  std::vector<env::ActionIndex> starts_;  // actions with successors
};

class GraphGenetic final : public Searcher {
 public:
  void run(SearchContext& context) override {
    Walker walker(context);
    while (!context.done()) {
      std::vector<Sequence> walks(kPopulation);
      for (Sequence& sequence : walks) sequence = walker.walk();
      std::vector<Evaluation> population = context.evaluate(std::move(walks));
      for (std::size_t generation = 0; generation < kGenerations && !context.done(); ++generation) {
        std::ranges::sort(population, ranksBefore);
        population.resize(kParents);
        std::vector<Sequence> children(kPopulation - kParents);
        for (Sequence& child : children) child = breed(context, walker, population);
        std::ranges::move(context.evaluate(std::move(children)), std::back_inserter(population));
      }
    }
  }

 private:
  static Sequence breed(SearchContext& context, Walker& walker, std::span<const Evaluation> parents) {
    const Sequence& a = context.rng().pick(parents).actions;
    const Sequence& b = context.rng().pick(parents).actions;
    Sequence child = crossedAtCommon(context, a, b);
    return context.rng().chance(kMutation) ? walker.mutated(std::move(child)) : child;
  }
};

}  // namespace

extern constinit const SearcherInfo graph_genetic{
    .name = "graph_genetic",
    .summary = "a genetic algorithm of walks on the graph of actions that help each other",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<GraphGenetic>(); }};

}  // namespace ordo::search
