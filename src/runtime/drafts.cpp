#include "runtime/drafts.h"

#include <cmath>

namespace ordo::runtime {
namespace {

constexpr std::size_t kMostActions = 24;  // what is drafted around drafts grows
constexpr std::size_t kMostChanges = 3;

}  // namespace

Drafts::Drafts(search::Evaluator& evaluator, search::Sequence start, const search::DraftOptions& like,
               double seconds)
    : evaluator_(&evaluator), start_(std::move(start)), like_(like), seconds_(seconds), rng_(like.seed) {}

Result<Drafts> Drafts::open(search::Evaluator& evaluator, search::Sequence start,
                            const search::DraftOptions& like, double seconds) {
  Drafts drafts(evaluator, std::move(start), like, seconds);
  drafts.base_ = evaluator.evaluateOne(drafts.start_, search::Effort::kFresh);
  ORDO_TRY(evaluator.status());
  return drafts;
}

Result<std::vector<Proposal>> Drafts::propose(const search::Sequence& around, std::size_t wanted) {
  evaluator_->limit({.seconds = evaluator_->statistics().seconds + seconds_});
  search::DraftOptions options = like_;
  options.wanted = wanted;
  options.most_changes = kMostChanges;
  options.surplus = 1;
  options.seed = rng_.next();
  Result<std::vector<search::Evaluation>> drafted = search::draft(*evaluator_, around, options);
  std::vector<Proposal> proposals;
  if (!drafted) {
    if (drafted.error().code == ErrorCode::kUnsupported) return proposals;
    return fail(std::move(drafted).error());
  }
  for (search::Evaluation& draft : *drafted) {
    if (draft.actions.size() > kMostActions || !given_.insert(draft.state).second) continue;
    std::vector<double> features = featuresOf(draft);
    proposals.push_back({std::move(draft.actions), std::move(features)});
  }
  return proposals;
}

std::vector<double> Drafts::featuresOf(const search::Evaluation& draft) const {
  const auto growth = [](double from, double to) { return std::log((1 + to) / (1 + from)); };
  std::vector<double> features(evaluator_->spec().actions.size(), 0);
  for (const env::ActionIndex action : draft.actions) ++features[action];
  for (const env::ActionIndex action : start_) --features[action];
  features.push_back(growth(base_.value, draft.value));
  features.push_back(growth(base_.amounts.back(), draft.amounts.back()));
  return features;
}

}  // namespace ordo::runtime
