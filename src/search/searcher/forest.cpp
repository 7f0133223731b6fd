#include "search/searcher/forest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "support/error.h"

namespace ordo::search {
namespace {

constexpr std::size_t kMinLeaf = 2;
constexpr std::size_t kMaxDepth = 24;
constexpr double kFeatureShare = 1.0 / 3;

struct Split {
  std::size_t feature = 0;
  std::uint8_t level = 0;
  double gain = 0;  // of squared error; 0: no split
};

}  // namespace

// Grows one tree on one sample.
class TreeGrower {
 public:
  TreeGrower(std::span<const Forest::Row> rows, std::span<const double> targets,
             std::vector<double>& importances, Rng& rng)
      : targets_(targets), importances_(importances), rng_(rng), features_(rows[0].size()) {
    std::iota(features_.begin(), features_.end(), std::size_t{0});
    for (const std::size_t feature : features_) {
      for (const Forest::Row& row : rows) levels_.push_back(row[feature]);
    }
  }

  std::vector<Forest::Node> grow() {
    std::vector<std::size_t> sample(targets_.size());
    for (std::size_t& row : sample) row = rng_.below(sample.size());
    nodes_.assign(1, {});
    grow(0, sample, 0);
    return std::move(nodes_);
  }

 private:
  void grow(std::size_t node, std::span<std::size_t> sample, std::size_t depth) {
    double sum = 0;
    for (const std::size_t row : sample) sum += targets_[row];
    nodes_[node].value = sum / static_cast<double>(sample.size());
    if (sample.size() < 2 * kMinLeaf || depth == kMaxDepth) return;
    const Split split = bestSplit(sample, sum);
    if (split.gain <= 0) return;
    importances_[split.feature] += split.gain;
    const std::uint8_t* levels = levelsOf(split.feature);
    const auto above = std::partition(sample.begin(), sample.end(),
                                      [&](std::size_t row) { return levels[row] <= split.level; });
    const auto below = static_cast<std::size_t>(above - sample.begin());
    const std::size_t child = nodes_.size();
    nodes_[node].feature = split.feature;
    nodes_[node].level = split.level;
    nodes_[node].below = child;
    nodes_.resize(child + 2);
    grow(child, sample.first(below), depth + 1);
    grow(child + 1, sample.subspan(below), depth + 1);
  }

  // Features that are the same in the whole sample cost a look but do not count as tried: where most are,
  // a third of them might hold none that can split.
  Split bestSplit(std::span<const std::size_t> sample, double sum) {
    const auto enough =
        static_cast<std::size_t>(std::ceil(kFeatureShare * static_cast<double>(features_.size())));
    Split best;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < features_.size() && tried < enough; ++i) {
      std::swap(features_[i], features_[i + rng_.below(features_.size() - i)]);
      tried += trySplits(sample, sum, features_[i], best);
    }
    return best;
  }

  // Whether the feature varies at all.
  bool trySplits(std::span<const std::size_t> sample, double sum, std::size_t feature, Split& best) const {
    std::array<std::size_t, Forest::kLevels> counts{};
    std::array<double, Forest::kLevels> sums{};
    const std::uint8_t* levels = levelsOf(feature);
    for (const std::size_t row : sample) {
      ++counts[levels[row]];
      sums[levels[row]] += targets_[row];
    }
    const auto all = static_cast<double>(sample.size());
    std::size_t count_below = 0;
    double sum_below = 0;
    bool varies = false;
    for (std::uint8_t level = 0; level + 1 < Forest::kLevels; ++level) {
      count_below += counts[level];
      sum_below += sums[level];
      varies = varies || (count_below > 0 && count_below < sample.size());
      if (counts[level] == 0 || count_below < kMinLeaf || sample.size() - count_below < kMinLeaf) continue;
      const auto below = static_cast<double>(count_below);
      const double gain = sum_below * sum_below / below +
                          (sum - sum_below) * (sum - sum_below) / (all - below) - sum * sum / all;
      // Rounding alone must not look like a gain.
      if (gain > best.gain && gain > 1e-12 * sum * sum / all) best = {feature, level, gain};
    }
    return varies;
  }

  const std::uint8_t* levelsOf(std::size_t feature) const { return &levels_[feature * targets_.size()]; }

  std::vector<std::uint8_t> levels_;  // of all rows, feature by feature
  std::span<const double> targets_;
  std::vector<double>& importances_;
  Rng& rng_;
  std::vector<std::size_t> features_;
  std::vector<Forest::Node> nodes_;
};

Forest::Forest(std::span<const Row> rows, std::span<const double> targets, std::size_t trees, Rng& rng) {
  ORDO_CHECK(!rows.empty() && rows.size() == targets.size() && !rows[0].empty(), "{} rows, {} targets",
             rows.size(), targets.size());
  importances_.assign(rows[0].size(), 0);
  TreeGrower grower(rows, targets, importances_, rng);
  for (std::size_t i = 0; i < trees; ++i) trees_.push_back(grower.grow());
  const double total = std::accumulate(importances_.begin(), importances_.end(), 0.0);
  if (total <= 0) return;
  for (double& importance : importances_) importance /= total;
}

Forest::Prediction Forest::predict(const Row& row) const {
  if (trees_.empty()) return {};
  double sum = 0, squares = 0;
  for (const std::vector<Node>& tree : trees_) {
    const Node* node = &tree.front();
    while (node->below != 0) node = &tree[node->below + (row[node->feature] > node->level)];
    sum += node->value;
    squares += node->value * node->value;
  }
  const auto count = static_cast<double>(trees_.size());
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

}  // namespace ordo::search
