#include "search/guided/draft.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <span>

namespace ordo::search {
namespace {

constexpr std::array kTemperatures{1.0, 1.0, 1.5, 2.0, 3.0};  // of a policy's choices, one after the other

// A few actions before `start`, after it, both, or `start` again after a few; what is fixed of it comes first
// in any case, and once.
Sequence around(const Sequence& start, std::size_t actions, const DraftOptions& options, Rng& rng) {
  enum Place { kBefore, kAfter, kBoth, kAgain, kPlaces };
  const auto some = [&](Sequence& to) {
    for (std::size_t i = rng.between(1, options.most_changes); i > 0; --i)
      to.push_back(static_cast<env::ActionIndex>(rng.below(actions)));
  };
  const auto place = static_cast<Place>(rng.below(kPlaces));
  const auto loose = start.begin() + static_cast<std::ptrdiff_t>(options.fixed);
  Sequence sequence(start.begin(), loose);
  if (place == kBefore || place == kBoth) some(sequence);
  sequence.insert(sequence.end(), loose, start.end());
  if (place != kBefore) some(sequence);
  if (place == kAgain) sequence.insert(sequence.end(), loose, start.end());
  return sequence;
}

// By the policy, each a program that is not among `seen`, which they join. The bolder, the longer it takes to
// find enough.
Result<std::vector<Evaluation>> draftByPolicy(Evaluator& evaluator, const Sequence& start, std::size_t wanted,
                                              const DraftOptions& options, std::set<Hash128>& seen) {
  ORDO_TRY_ASSIGN(PolicyDraft policy,
                  PolicyDraft::create(evaluator, start, options.fixed, *options.policy, options.seed));
  std::vector<Evaluation> found;
  for (const double temperature : kTemperatures) {
    if (found.size() >= wanted || evaluator.done()) break;
    for (Evaluation& evaluation : policy.draw(std::max<std::size_t>(wanted, evaluator.jobs()), temperature)) {
      if (found.size() < wanted && evaluation.measured() && seen.insert(evaluation.state).second)
        found.push_back(std::move(evaluation));
    }
    ORDO_TRY(evaluator.status());
  }
  return found;
}

}  // namespace

Result<std::vector<Evaluation>> draft(Evaluator& evaluator, const Sequence& start,
                                      const DraftOptions& options) {
  Rng rng(options.seed);
  const Evaluation base = evaluator.evaluateOne(start, Effort::kFresh);
  ORDO_TRY(evaluator.status());
  if (base.verdict == Verdict::kFailed) {
    return fail(ErrorCode::kUnsupported, "the baseline itself fails on this program: {}", base.detail);
  }
  const std::size_t actions = std::min(options.actions, evaluator.spec().actions.size());
  std::set<Hash128> seen{base.state};
  std::vector<Evaluation> advised;
  if (options.policy) {
    ORDO_TRY_ASSIGN(advised, draftByPolicy(evaluator, start, options.wanted / 2, options, seen));
  }
  const std::size_t wanted = options.wanted - advised.size();
  std::vector<Evaluation> found;
  const std::size_t enough = wanted * options.surplus;
  // Where almost everything that is drawn makes a known program there may not be enough to find.
  for (std::size_t batches = 0; found.size() < enough && batches < 4 * options.surplus && !evaluator.done();
       ++batches) {
    std::vector<Sequence> batch;
    for (std::size_t i = 0; i < std::max<std::size_t>(wanted, evaluator.jobs()); ++i)
      batch.push_back(around(start, actions, options, rng));
    for (Evaluation& evaluation : evaluator.evaluate(std::move(batch), Effort::kFull)) {
      if (evaluation.measured() && seen.insert(evaluation.state).second)
        found.push_back(std::move(evaluation));
    }
    ORDO_TRY(evaluator.status());
  }
  std::ranges::sort(found, ranksBefore);
  if (found.size() > wanted) {
    rng.shuffle(std::span(found).subspan(wanted / 2));
    found.resize(wanted);
  }
  std::ranges::move(advised, std::back_inserter(found));
  return found;
}

}  // namespace ordo::search
