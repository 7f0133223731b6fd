// The best of what the compiler offers by itself: every pipeline of the space once. Ends after that.
//
// Source: the best of -O1, -O2, -O3, -Os and -Oz, which reviewers ask every autotuner to beat.
// Parameters: none. Pipelines are those of pipelines.h.
#include "search/searcher/pipelines.h"
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

class BestOfBaselines final : public Searcher {
 public:
  void run(SearchContext& context) override { context.evaluate(pipelines(context)); }
};

}  // namespace

extern constinit const SearcherInfo best_of_baselines{
    .name = "best_of_baselines",
    .summary = "every pipeline of the space once",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<BestOfBaselines>(); },
    .finite = true};

}  // namespace ordo::search
