#include "search/driver/decide.h"

#include <algorithm>

namespace ordo::search {
namespace {

// Places that are tried before what helped is tried together: enough for all lanes, few enough that a later
// place is tried against what the earlier ones gave.
constexpr std::size_t kPlacesPerLane = 8;

// A decision and what the best of now becomes by it alone.
struct Helpful {
  env::ActionIndex decision = 0;
  double value = 0;
};

Sequence inFront(const std::vector<Helpful>& decisions, const Sequence& sequence) {
  Sequence all;
  for (const Helpful& helpful : decisions) all.push_back(helpful.decision);
  all.insert(all.end(), sequence.begin(), sequence.end());
  return all;
}

// The best way of each of `places` that makes the best of now better, most helpful first.
std::vector<Helpful> helpful(SearchContext& context, std::span<const Decisions> places) {
  const Evaluation best = context.best();
  std::vector<Sequence> batch;
  for (const Decisions& ways : places)
    for (const env::ActionIndex way : ways) batch.push_back(inFront({{way, 0}}, best.actions));
  const std::vector<Evaluation> answers = context.evaluate(std::move(batch));
  std::vector<Helpful> found;
  auto answer = answers.begin();
  for (const Decisions& ways : places) {
    std::optional<Helpful> best_way;
    for (const env::ActionIndex way : ways) {
      const Evaluation& one = *answer++;
      if (one.measured() && one.value < (best_way ? best_way->value : best.value))
        best_way = Helpful{way, one.value};
    }
    if (best_way) found.push_back(*best_way);
  }
  std::ranges::sort(found, {}, &Helpful::value);
  return found;
}

// Tries all of `decisions` together in front of `rest`, and where that is no better than the best of now, the
// better half of them. The best alone is known.
void together(SearchContext& context, std::vector<Helpful> decisions, const Sequence& rest) {
  while (decisions.size() > 1 && !context.done()) {
    const double before = context.best().value;
    const std::size_t room = context.maxLength() - std::min(context.maxLength(), rest.size());
    decisions.resize(std::min(decisions.size(), room));
    const std::vector<Evaluation> answer = context.evaluate({inFront(decisions, rest)});
    if (answer.front().measured() && answer.front().value < before) return;
    decisions.resize(decisions.size() / 2);
  }
}

}  // namespace

void decide(SearchContext& context, std::span<const Decisions> places) {
  const std::size_t most = kPlacesPerLane * context.lanes();
  while (!places.empty() && !context.done() && context.best().actions.size() < context.maxLength()) {
    const Sequence rest = context.best().actions;
    const std::span<const Decisions> now = places.first(std::min(most, places.size()));
    together(context, helpful(context, now), rest);
    places = places.subspan(now.size());
  }
}

}  // namespace ordo::search
