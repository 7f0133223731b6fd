// Beam search: keeps the best few programs of each length and extends each by every action. Unlike
// greedy it survives steps that do not pay at once. Children share their parent's prefix, so after
// the first few they cost one action each (prefix_cache.h).
//
// Source: B. Lowerre, "The HARPY speech recognition system", 1976; for pass sequences with width 3:
//   "synergy-guided nested pipelines" (arXiv 2510.13184).
// Parameters: width of the first round (kFirstWidth, doubled in each further round), rounds end
//   after kPatience levels without improvement.
#include <algorithm>
#include <unordered_set>

#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

constexpr std::size_t kFirstWidth = 2;
constexpr std::size_t kPatience = 4;

class Beam final : public Searcher {
 public:
  void run(SearchContext& context) override {
    for (std::size_t width = kFirstWidth; !context.done(); width *= 2) {
      // A round that never had to drop a program has seen all there is within the length limit.
      if (!sweep(context, width)) return;
    }
  }

 private:
  // Whether a wider beam could see more.
  static bool sweep(SearchContext& context, std::size_t width) {
    std::unordered_set<Hash128> seen;
    bool dropped = false;
    std::vector<Evaluation> beam = keepBest(context.seeds(), width, seen, dropped);
    double best = beam.front().value;
    std::size_t idle = 0;
    while (!beam.empty() && !context.done()) {
      if (idle == kPatience) return true;
      beam = keepBest(context.evaluate(children(context, beam)), width, seen, dropped);
      const bool improved = !beam.empty() && beam.front().value < best;
      if (improved) best = beam.front().value;
      idle = improved ? 0 : idle + 1;
    }
    return dropped;
  }

  static std::vector<Sequence> children(const SearchContext& context, const std::vector<Evaluation>& beam) {
    std::vector<Sequence> result;
    for (const Evaluation& node : beam) {
      if (node.actions.size() == context.maxLength()) continue;
      for (env::ActionIndex action = 0; action < context.actions().size(); ++action) {
        result.push_back(node.actions);
        result.back().push_back(action);
      }
    }
    return result;
  }

  // The best `width` valid candidates whose programs are new to this round.
  static std::vector<Evaluation> keepBest(std::vector<Evaluation> candidates, std::size_t width,
                                          std::unordered_set<Hash128>& seen, bool& dropped) {
    std::ranges::sort(candidates, ranksBefore);
    std::vector<Evaluation> kept;
    for (Evaluation& candidate : candidates) {
      if (candidate.verdict < Verdict::kScreened || !seen.insert(candidate.state).second) continue;
      if (kept.size() == width) {
        seen.erase(candidate.state);
        dropped = true;
        break;
      }
      kept.push_back(std::move(candidate));
    }
    return kept;
  }
};

}  // namespace

extern constinit const SearcherInfo beam{
    .name = "beam",
    .summary = "the best few programs of each length, a wider beam in each round",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Beam>(); }};

}  // namespace ordo::search
