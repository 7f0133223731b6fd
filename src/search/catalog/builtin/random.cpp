// Random iterative search: sequences of random length from random actions, every other one behind a
// seed, because most good sequences are an existing pipeline and a little more.
//
// Source: F. Bodin et al., "Iterative compilation in a non-linear optimisation space", 1998; the
//   random searches of Cummins et al., "CompilerGym" (CGO 2022). The bar any other must clear.
// Parameters: probability of a seed in front (kSeedProbability), longest tail behind one (kMaxTail).
#include <algorithm>

#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

constexpr double kSeedProbability = 0.5;
constexpr std::size_t kMaxTail = 10;

class Random final : public Searcher {
 public:
  void run(SearchContext& context) override {
    while (!context.done()) {
      std::vector<Sequence> batch(context.batchSize());
      for (Sequence& sequence : batch) sequence = draw(context);
      context.evaluate(std::move(batch));
    }
  }

 private:
  static Sequence draw(SearchContext& context) {
    Rng& rng = context.rng();
    if (!rng.chance(kSeedProbability)) return context.randomSequence();
    Sequence sequence = rng.pick(std::span(context.seeds())).actions;
    const std::size_t room = std::min(kMaxTail, context.maxLength() - sequence.size());
    const Sequence tail = context.randomSequence(rng.between(0, room));
    sequence.insert(sequence.end(), tail.begin(), tail.end());
    return sequence;
  }
};

}  // namespace

extern constinit const SearcherInfo random{
    .name = "random",
    .summary = "random sequences, half of them behind a seed",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Random>(); }};

}  // namespace ordo::search
