// Random iterative optimisation, RIO: uniformly random sequences of uniformly random length. Unlike
// `random` it does not know the seeds.
//
// Source: F. Bodin et al., "Iterative compilation in a non-linear optimisation space", 1998; Y. Chen et
//   al., "Evaluating iterative optimization across 1000 datasets", PLDI 2010.
// Parameters: none.
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

class Rio final : public Searcher {
 public:
  void run(SearchContext& context) override {
    while (!context.done()) {
      std::vector<Sequence> batch(context.batchSize());
      for (Sequence& sequence : batch) sequence = context.randomSequence();
      context.evaluate(std::move(batch));
    }
  }
};

}  // namespace

extern constinit const SearcherInfo rio{
    .name = "rio",
    .summary = "uniformly random sequences, without the seeds",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Rio>(); }};

}  // namespace ordo::search
