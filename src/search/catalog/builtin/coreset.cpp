// Coreset: the few sequences that together did best on training programs, one after the other. Ends with
// the last of them. No model chooses among them; what those of the papers add is the order.
//
// Source: Y. Liang et al., "Learning compiler pass orders using coreset and normalized value prediction",
//   ICML 2023; GRACE (arXiv 2510.13176). The coreset is chosen greedily (docs/formats/knowledge.md).
// Parameters: none; nothing to try without knowledge.
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

class Coreset final : public Searcher {
 public:
  void run(SearchContext& context) override {
    const auto coreset = context.knowledge().coreset(context.objective().metric);
    std::vector<Sequence> batch(coreset.begin(), coreset.end());
    std::erase_if(batch, [&](const Sequence& sequence) { return sequence.size() > context.maxLength(); });
    if (batch.empty()) return;
    context.evaluate({batch.front()}, Effort::kFull);
    batch.erase(batch.begin());
    context.evaluate(std::move(batch));
  }
};

}  // namespace

extern constinit const SearcherInfo coreset{
    .name = "coreset",
    .summary = "the sequences that together did best on training programs, in order",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Coreset>(); },
    .finite = true};

}  // namespace ordo::search
