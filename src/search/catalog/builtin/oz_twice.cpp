// "Oz twice": the baseline applied twice, then every other pipeline twice, then every ordered pair of
// pipelines. Ends when that is exhausted. What remains after it was not lying about in the compiler.
//
// Source: the usual sanity check of papers on phase ordering; on the seven suites of CompilerGym a second
//   -Oz is worth about 0.14 %.
// Parameters: none. Pipelines are those of pipelines.h, the seeds first.
#include "search/searcher/pipelines.h"
#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

class OzTwice final : public Searcher {
 public:
  void run(SearchContext& context) override {
    const std::vector<Sequence> known = pipelines(context);
    std::vector<Sequence> batch;
    const auto add = [&](Sequence first, const Sequence& second) {
      first.insert(first.end(), second.begin(), second.end());
      if (first.size() <= context.maxLength()) batch.push_back(std::move(first));
    };
    for (const Sequence& pipeline : known) add(pipeline, pipeline);
    for (const Sequence& first : known) {
      for (const Sequence& second : known) {
        if (first != second) add(first, second);
      }
    }
    context.evaluate(std::move(batch));
  }
};

}  // namespace

extern constinit const SearcherInfo oz_twice{
    .name = "oz_twice",
    .summary = "the baseline twice, then pairs of all pipelines",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<OzTwice>(); },
    .finite = true};

}  // namespace ordo::search
