#include "runtime/straight.h"

#include <algorithm>

#include "notation/action.h"
#include "runtime/loops.h"

namespace ordo::runtime {

std::optional<StraightActions> StraightActions::add(env::SessionSpec& spec, env::ActionIndex baseline,
                                                    search::Sequence prefix) {
  const env::Action whole = spec.actions[baseline];
  const std::optional<OpenPipeline> parts = openAtLoops(whole.text);
  if (!parts) return std::nullopt;
  StraightActions actions;
  actions.prefix_ = std::move(prefix);
  actions.baseline_ = baseline;
  actions.before_ = find(spec, {whole.name + "-before-loops", notation::kPipeline, parts->before});
  actions.without_ =
      find(spec, {whole.name + "-from-loops-no-slp", notation::kPipeline, parts->after_without_slp});
  return actions;
}

search::Sequence StraightActions::with(const std::vector<Decision>& decisions) const {
  search::Sequence sequence = prefix_;
  if (decisions.empty())
    sequence.push_back(baseline_);
  else
    sequence.insert(sequence.end(), {before_, without_});
  return sequence;
}

std::optional<env::ActionIndex> StraightActions::decided(const search::Sequence& sequence) const {
  if (std::ranges::find(sequence, without_) == sequence.end()) return std::nullopt;
  return without_;
}

}  // namespace ordo::runtime
