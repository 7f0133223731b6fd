// Monte-Carlo tree search over beginnings of sequences. A round walks down the tree by UCT, adds one
// node, and evaluates that node and a random continuation of it; the better of the two is credited to
// all nodes on the way. Nodes with many visits may have more children (progressive widening), for a
// hundred actions at each of them is more than any budget can look at. What fails is cut off.
// Beginnings come by again and again, so the prefix cache pays for most of a round.
//
// Source: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning", ECML 2006; G. Chaslot et al.,
//   "Progressive strategies for Monte-Carlo tree search", 2008.
// Parameters: weight of exploration (kExploration), children by visits (kWidening times the square
//   root). A continuation has any length that there is room for. One round per lane at a time; visits are
//   counted on the way down, so that rounds spread.
#include <algorithm>
#include <cmath>
#include <optional>

#include "search/searcher/searcher.h"

namespace ordo::search {
namespace {

constexpr double kExploration = 0.2;
constexpr double kWidening = 1;

class Tree {
 public:
  explicit Tree(SearchContext& context) : context_(context), nodes_(1) {}

  // Until the context is done or nothing is left to try.
  void grow() {
    origin_ = context_.evaluate({{}}).front();
    if (origin_.verdict < Verdict::kScreened) origin_ = context_.best();
    while (!context_.done()) {
      std::vector<std::size_t> leaves;
      std::vector<Sequence> batch;
      while (leaves.size() < context_.lanes()) {
        const std::optional<std::size_t> leaf = walk();
        if (!leaf) break;
        leaves.push_back(*leaf);
        batch.push_back(prefix(*leaf));
        batch.push_back(continued(batch.back()));
      }
      if (leaves.empty()) return;
      const std::vector<Evaluation> results = context_.evaluate(std::move(batch));
      for (std::size_t i = 0; i < leaves.size(); ++i) credit(leaves[i], results[2 * i], results[2 * i + 1]);
    }
  }

 private:
  static constexpr std::size_t kRoot = 0;

  struct Node {
    std::size_t parent = kRoot;
    env::ActionIndex action = 0;
    std::size_t depth = 0;
    double visits = 0;
    double gain = 0;                           // sum over visits
    std::vector<std::size_t> children = {};    // without those cut off
    std::vector<env::ActionIndex> tried = {};  // with them
  };

  // The node to evaluate next; none if the whole tree is cut off.
  std::optional<std::size_t> walk() {
    std::size_t at = kRoot;
    while (true) {
      nodes_[at].visits += 1;
      if (nodes_[at].depth == context_.maxLength()) return at;
      const double room = std::ceil(kWidening * std::sqrt(nodes_[at].visits));
      const bool untried = nodes_[at].tried.size() < context_.actions().size();
      if (untried && static_cast<double>(nodes_[at].children.size()) < room) return expand(at);
      if (nodes_[at].children.empty()) {
        if (at == kRoot) return std::nullopt;
        cut(at);
        at = kRoot;
        continue;
      }
      at = *std::ranges::max_element(nodes_[at].children, {}, [&](std::size_t child) {
        return promise(nodes_[child], nodes_[at].visits);
      });
    }
  }

  double promise(const Node& child, double visits) const {
    const double mean = child.gain / child.visits;
    return (best_gain_ > 0 ? mean / best_gain_ : 0) +
           kExploration * std::sqrt(2 * std::log(visits) / child.visits);
  }

  std::size_t expand(std::size_t parent) {
    std::vector<env::ActionIndex>& tried = nodes_[parent].tried;
    // The n-th of the actions that were not tried; `tried` is sorted.
    auto action =
        static_cast<env::ActionIndex>(context_.rng().below(context_.actions().size() - tried.size()));
    for (const env::ActionIndex other : tried) action += other <= action;
    tried.insert(std::ranges::upper_bound(tried, action), action);
    const std::size_t child = nodes_.size();
    nodes_[parent].children.push_back(child);
    nodes_.push_back({.parent = parent, .action = action, .depth = nodes_[parent].depth + 1, .visits = 1});
    return child;
  }

  void cut(std::size_t node) { std::erase(nodes_[nodes_[node].parent].children, node); }

  Sequence prefix(std::size_t node) const {
    Sequence sequence;
    for (; node != kRoot; node = nodes_[node].parent) sequence.push_back(nodes_[node].action);
    std::ranges::reverse(sequence);
    return sequence;
  }

  Sequence continued(Sequence sequence) {
    const std::size_t room = context_.maxLength() - sequence.size();
    const Sequence tail =
        context_.randomSequence(context_.rng().between(std::min<std::size_t>(room, 1), room));
    sequence.insert(sequence.end(), tail.begin(), tail.end());
    return sequence;
  }

  void credit(std::size_t leaf, const Evaluation& itself, const Evaluation& continuation) {
    const double gain = std::max(gainOf(itself), gainOf(continuation));
    best_gain_ = std::max(best_gain_, gain);
    for (std::size_t node = leaf; node != kRoot; node = nodes_[node].parent) nodes_[node].gain += gain;
    if (itself.verdict == Verdict::kFailed && leaf != kRoot) cut(leaf);
  }

  // What it saves of the program as given, as a fraction; a failure and a loss save nothing.
  double gainOf(const Evaluation& result) const { return std::max(0.0, 1 - relativeCost(result, origin_)); }

  SearchContext& context_;
  std::vector<Node> nodes_;
  Evaluation origin_;
  double best_gain_ = 0;
};

class Mcts final : public Searcher {
 public:
  void run(SearchContext& context) override { Tree(context).grow(); }
};

}  // namespace

extern constinit const SearcherInfo mcts{
    .name = "mcts",
    .summary = "Monte-Carlo tree search (UCT) over beginnings of sequences",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Mcts>(); }};

}  // namespace ordo::search
