// Nearest neighbour: what was best for the training program that is most like this one, then for the next.
// Like is near in features, each in units of its own spread over the training programs. Ends with the last.
//
// Source: F. Agakov et al., "Using machine learning to focus iterative optimization", CGO 2006.
// Parameters: none; nothing to try without knowledge or features.
#include "search/searcher/neighbours.h"
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

class NearestNeighbour final : public Searcher {
 public:
  void run(SearchContext& context) override {
    const Knowledge& knowledge = context.knowledge();
    std::vector<Sequence> batch;
    for (const std::size_t neighbour : neighboursOf(knowledge)) {
      const Sequence& best = knowledge.examples[neighbour].best;
      if (best.size() <= context.maxLength()) batch.push_back(best);
    }
    context.evaluate(std::move(batch));
  }
};

}  // namespace

extern constinit const SearcherInfo nearest_neighbour{
    .name = "nearest_neighbour",
    .summary = "what was best for training programs, the most similar first",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<NearestNeighbour>(); },
    .finite = true};

}  // namespace ordo::search
