// Nearest neighbour: what was best for the training program that is most like this one, then for the next.
// Like is near in features, each in units of its own spread over the training programs. Ends with the last.
//
// Source: F. Agakov et al., "Using machine learning to focus iterative optimization", CGO 2006.
// Parameters: none; nothing to try without knowledge or features.
#include <algorithm>
#include <cmath>

#include "search/searcher.h"

namespace ordo::search {
namespace {

class NearestNeighbour final : public Searcher {
 public:
  void run(SearchContext& context) override {
    const Knowledge& knowledge = context.knowledge();
    if (knowledge.features.empty()) return;
    const std::vector<double> scales = scalesOf(knowledge);
    struct Neighbour {
      double distance;
      std::size_t example;
    };
    std::vector<Neighbour> neighbours;
    for (std::size_t i = 0; i < knowledge.examples.size(); ++i) {
      double squares = 0;
      for (std::size_t f = 0; f < scales.size(); ++f) {
        const double apart = (knowledge.examples[i].features[f] - knowledge.features[f]) * scales[f];
        squares += apart * apart;
      }
      neighbours.push_back({squares, i});
    }
    std::ranges::sort(neighbours, [](const Neighbour& a, const Neighbour& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.example < b.example;
    });
    std::vector<Sequence> batch;
    for (const Neighbour& neighbour : neighbours) {
      const Sequence& best = knowledge.examples[neighbour.example].best;
      if (best.size() <= context.maxLength()) batch.push_back(best);
    }
    context.evaluate(std::move(batch));
  }

 private:
  // One over the standard deviation of each feature; 0 for one that never varies and so says nothing.
  static std::vector<double> scalesOf(const Knowledge& knowledge) {
    std::vector<double> scales(knowledge.features.size());
    const auto count = static_cast<double>(knowledge.examples.size());
    for (std::size_t f = 0; f < scales.size(); ++f) {
      double mean = 0, variance = 0;
      for (const Knowledge::Example& example : knowledge.examples) mean += example.features[f] / count;
      for (const Knowledge::Example& example : knowledge.examples)
        variance += (example.features[f] - mean) * (example.features[f] - mean) / count;
      scales[f] = variance > 0 ? 1 / std::sqrt(variance) : 0;
    }
    return scales;
  }
};

}  // namespace

extern constinit const SearcherInfo nearest_neighbour{
    .name = "nearest_neighbour",
    .summary = "what was best for training programs, the most similar first",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<NearestNeighbour>(); },
    .finite = true};

}  // namespace ordo::search
