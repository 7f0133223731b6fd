#include "search/searcher/variation.h"

#include <algorithm>

namespace ordo::search {
namespace {

struct Part {
  std::ptrdiff_t from;
  std::ptrdiff_t to;
};

Part randomPart(Rng& rng, const Sequence& sequence, bool to_end) {
  const std::size_t from = rng.between(0, sequence.size());
  const std::size_t to = to_end ? sequence.size() : rng.between(from, sequence.size());
  return {static_cast<std::ptrdiff_t>(from), static_cast<std::ptrdiff_t>(to)};
}

}  // namespace

Sequence neighbour(SearchContext& context, Sequence sequence) {
  enum Change { kReplace, kInsert, kRemove, kSwap, kChanges };
  Rng& rng = context.rng();
  auto change = static_cast<Change>(rng.below(kChanges));
  if (sequence.empty()) change = kInsert;
  if (change == kInsert && sequence.size() == context.maxLength()) change = kReplace;
  if (change == kInsert) {
    const auto at = static_cast<std::ptrdiff_t>(rng.between(0, sequence.size()));
    sequence.insert(sequence.begin() + at, context.randomAction());
    return sequence;
  }
  const std::size_t at = rng.below(sequence.size());
  if (change == kReplace) sequence[at] = context.randomAction();
  if (change == kRemove) sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(at));
  if (change == kSwap) std::swap(sequence[at], sequence[rng.below(sequence.size())]);
  return sequence;
}

Sequence mutated(SearchContext& context, Sequence sequence, double probability) {
  for (env::ActionIndex& action : sequence) {
    if (context.rng().chance(probability)) action = context.randomAction();
  }
  return sequence;
}

Sequence crossed(SearchContext& context, const Sequence& a, const Sequence& b) {
  const bool to_end = context.rng().chance(0.5);
  const Part out = randomPart(context.rng(), a, to_end);
  const Part in = randomPart(context.rng(), b, to_end);
  Sequence child(a.begin(), a.begin() + out.from);
  child.insert(child.end(), b.begin() + in.from, b.begin() + in.to);
  child.insert(child.end(), a.begin() + out.to, a.end());
  if (child.size() > context.maxLength()) child.resize(context.maxLength());
  return child;
}

Sequence crossedAtCommon(SearchContext& context, Sequence a, const Sequence& b) {
  const std::size_t here = context.rng().between(0, a.size());
  auto there = static_cast<std::ptrdiff_t>(context.rng().between(0, b.size()));
  if (here < a.size()) {
    const auto common = std::ranges::find(b, a[here]);
    if (common != b.end()) there = common - b.begin();
  }
  a.resize(here);
  a.insert(a.end(), b.begin() + there, b.end());
  if (a.size() > context.maxLength()) a.resize(context.maxLength());
  return a;
}

std::size_t tournament(Rng& rng, std::size_t count, std::size_t size) {
  std::size_t winner = rng.below(count);
  for (std::size_t i = 1; i < size; ++i) winner = std::min<std::size_t>(winner, rng.below(count));
  return winner;
}

}  // namespace ordo::search
