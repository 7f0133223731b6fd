#include "search/searcher/surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace ordo::search {
namespace {

constexpr std::size_t kTrees = 20;
constexpr std::size_t kMaxExamples = 1000;  // the latest: a search has to stop soon after Ctrl-C
constexpr double kWorstCost = 4;            // and that of a failure, in units of the best seed
constexpr std::size_t kRoundShare = 8;

constexpr std::size_t kFeaturesPerAction = 2;

// The indices of `values`, the highest value first; among equals the first.
std::vector<std::size_t> highestFirst(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  });
  return order;
}

std::vector<Sequence> selectBest(const Surrogate& surrogate, std::vector<Candidate> candidates,
                                 std::size_t count) {
  std::vector<double> scores;
  for (const Candidate& candidate : candidates) scores.push_back(candidate.score);
  std::vector<Sequence> selected;
  Seen taken;
  for (const std::size_t i : highestFirst(scores)) {
    if (selected.size() == count) break;
    if (surrogate.knows(candidates[i].actions) || !taken.insert(candidates[i].actions)) continue;
    selected.push_back(std::move(candidates[i].actions));
  }
  return selected;
}

}  // namespace

Surrogate::Surrogate(SearchContext& context)
    : context_(context),
      reference_(context.best()),
      lowest_(kWorstCost),
      error_(std::numeric_limits<double>::infinity()) {
  observe(context.seeds());
}

void Surrogate::observe(std::span<const Evaluation> results) {
  double error = 0;
  std::size_t fresh = 0;
  for (const Evaluation& result : results) {
    if (result.verdict == Verdict::kSkipped || !seen_.insert(result.actions)) continue;
    rows_.push_back(encode(result.actions));
    costs_.push_back(std::min(relativeCost(result, reference_), kWorstCost));
    lowest_ = std::min(lowest_, costs_.back());
    error += std::abs(forest_.predict(rows_.back()).mean - costs_.back());
    ++fresh;
  }
  if (fitted_ > 0 && fresh > 0) error_ = error / static_cast<double>(fresh);
}

void Surrogate::fit() {
  if (fitted_ == costs_.size()) return;
  const std::size_t old = rows_.size() - std::min(rows_.size(), kMaxExamples);
  forest_ = Forest(std::span(rows_).subspan(old), std::span(costs_).subspan(old), kTrees, context_.rng());
  fitted_ = costs_.size();
}

double Surrogate::expectedImprovement(const Sequence& sequence) const {
  const Forest::Prediction predicted = predict(sequence);
  const double below = lowest_ - predicted.mean;
  if (predicted.deviation <= 0) return std::max(0.0, below);
  const double z = below / predicted.deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double probability = std::erfc(-z / std::numbers::sqrt2) / 2;
  return below * probability + predicted.deviation * density;
}

std::vector<env::ActionIndex> Surrogate::byImportance() const {
  std::vector<double> importances(context_.actions().size());
  for (std::size_t i = 0; i < forest_.importances().size(); ++i)
    importances[i / kFeaturesPerAction] += forest_.importances()[i];
  const std::vector<std::size_t> order = highestFirst(importances);
  return {order.begin(), order.end()};
}

Forest::Row Surrogate::encode(const Sequence& sequence) const {
  constexpr std::size_t kTop = Forest::kLevels - 1;
  Forest::Row row(kFeaturesPerAction * context_.actions().size());
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    std::uint8_t* features = &row[kFeaturesPerAction * sequence[i]];
    if (features[0] == 0) features[1] = static_cast<std::uint8_t>(1 + i * kTop / context_.maxLength());
    if (features[0] < kTop) ++features[0];
  }
  return row;
}

void searchBySurrogate(SearchContext& context, std::size_t initial,
                       const std::function<std::vector<Candidate>(const Surrogate&)>& propose) {
  Surrogate surrogate(context);
  std::vector<Sequence> batch(initial);
  for (Sequence& sequence : batch) sequence = context.randomSequence();
  while (true) {
    surrogate.observe(context.evaluate(std::move(batch)));
    if (context.done()) return;
    surrogate.fit();
    const std::size_t round = std::max(context.lanes(), surrogate.observations() / kRoundShare);
    batch = selectBest(surrogate, propose(surrogate), round);
    if (!batch.empty()) continue;
    // The model sees nothing new; chance may.
    batch.resize(context.batchSize());
    for (Sequence& sequence : batch) sequence = context.randomSequence();
  }
}

}  // namespace ordo::search
