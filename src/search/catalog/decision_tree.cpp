#include "search/catalog/decision_tree.h"

#include <algorithm>
#include <optional>

#include "search/catalog/catalog.h"
#include "search/searcher/neighbours.h"

namespace ordo::search {
namespace {

constexpr std::size_t kNeighbours = 5;  // whose gains are what can be expected

class DecisionTree final : public Searcher {
 public:
  // Without a threshold the neighbours decide.
  explicit DecisionTree(std::optional<double> threshold) : threshold_(threshold) {}

  void run(SearchContext& context) override {
    const Knowledge& knowledge = context.knowledge();
    std::vector<std::size_t> neighbours = neighboursOf(knowledge);
    std::erase_if(neighbours,
                  [&](std::size_t i) { return knowledge.examples[i].best.size() > context.maxLength(); });
    if (!neighbours.empty()) {
      const Evaluation guess = context.evaluate({knowledge.examples[neighbours.front()].best}).front();
      const Evaluation& seed = *std::ranges::min_element(context.seeds(), better);
      if (relativeCost(guess, seed) < 1 - threshold_.value_or(expected(knowledge, neighbours))) return;
    }
    if (!context.done()) find("graph_genetic")->make()->run(context);
  }

 private:
  static double expected(const Knowledge& knowledge, const std::vector<std::size_t>& neighbours) {
    const std::size_t count = std::min(kNeighbours, neighbours.size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += knowledge.examples[neighbours[i]].gain;
    return sum / static_cast<double>(count);
  }

  const std::optional<double> threshold_;
};

}  // namespace

std::unique_ptr<Searcher> decisionTree(double threshold) { return std::make_unique<DecisionTree>(threshold); }

std::unique_ptr<Searcher> decisionTreeByFeatures() { return std::make_unique<DecisionTree>(std::nullopt); }

}  // namespace ordo::search
