#include "search/driver/driver.h"

#include <algorithm>

#include "search/driver/minimize.h"

namespace ordo::search {
namespace {

// Shares of the budget that are spent when a phase ends.
constexpr double kSearchShare = 0.85;
// Where there are some; at the cost of what follows, because a searcher still gains here on some programs.
constexpr double kDecideShare = 0.91;
constexpr double kMinimizeShare = 0.95;

// `budget` at `fraction` of its way, but with time left for one more answer, which nobody else will wait for.
Budget until(const Budget& budget, double fraction, const Evaluator& evaluator) {
  Budget part = budget.share(fraction);
  part.seconds = std::min(part.seconds, budget.seconds - evaluator.answerSeconds());
  return part;
}

Status check(const SearchOptions& options, std::size_t actions) {
  for (const auto& [what, sequences] :
       {std::pair("seed", options.seeds), std::pair("first answer", std::vector<Sequence>{options.first}),
        std::pair("proposal", options.proposals)}) {
    for (const Sequence& sequence : sequences) {
      for (const env::ActionIndex action : sequence) {
        if (action < actions) continue;
        return fail(ErrorCode::kInvalidArgument, "a {} uses action {}, but there are only {}", what, action,
                    actions);
      }
    }
  }
  return {};
}

Result<std::vector<Evaluation>> measureSeeds(Evaluator& evaluator, std::vector<Sequence> sequences,
                                             const std::optional<Evaluation>& measured) {
  if (sequences.empty()) sequences.emplace_back();
  const auto known = measured ? std::ranges::find(sequences, measured->actions) : sequences.end();
  const auto place = known - sequences.begin();
  const bool is_known = known != sequences.end();
  if (is_known) sequences.erase(known);
  std::vector<Evaluation> seeds = evaluator.evaluate(std::move(sequences), Effort::kFresh);
  if (is_known) seeds.insert(seeds.begin() + place, *measured);
  ORDO_TRY(evaluator.status());
  if (std::ranges::none_of(seeds, &Evaluation::measured)) {
    return fail(ErrorCode::kUnsupported, "{}: {} of it cannot be measured: {} {}", evaluator.spec().name,
                evaluator.objective().metric, env::name(seeds.front().status), seeds.front().detail);
  }
  return seeds;
}

// How many of the evaluator's actions are no decisions.
std::size_t actionsOfSearchers(const Evaluator& evaluator, const SearchOptions& options) {
  std::size_t count = evaluator.spec().actions.size();
  for (const Decisions& ways : options.decisions) count -= ways.size();
  for (const Decisions& ways : options.decisions)
    for (const env::ActionIndex way : ways) ORDO_CHECK(way >= count, "a decision is an action of searchers");
  return count;
}

// The best of `confirmed` and those candidates that promise more, as far as they hold what they
// promise: the replay of a fork may differ from a fresh one.
Evaluation confirm(Evaluator& evaluator, Evaluation confirmed, std::span<const Evaluation> candidates) {
  for (const Evaluation& candidate : candidates) {
    if (!better(candidate, confirmed)) break;
    Evaluation fresh = evaluator.evaluateOne(candidate.actions, Effort::kFresh);
    if (better(fresh, confirmed)) confirmed = std::move(fresh);
  }
  return confirmed;
}

}  // namespace

Result<SearchResult> search(Evaluator& evaluator, const SearchOptions& options) {
  ORDO_TRY(check(options, evaluator.spec().actions.size()));
  SearchResult result;
  const auto say = [&](std::string_view phase) {
    if (options.on_phase) options.on_phase(phase);
  };

  // The seeds are measured in full before all else: one of them is the baseline, so that nothing
  // worse than it can be the result.
  say("measuring the baseline");
  ORDO_TRY_ASSIGN(result.seeds, measureSeeds(evaluator, options.seeds, options.measured));
  result.found = *std::ranges::min_element(result.seeds, better);

  SearchContext context(evaluator, result.seeds, options.max_length, Rng(options.seed),
                        options.on_improvement, options.knowledge, actionsOfSearchers(evaluator, options));
  if (!options.first.empty() || options.at_once != nullptr) say("asking for the first answer");
  evaluator.limit(options.budget);
  if (!options.first.empty()) context.begin({options.first});
  if (options.at_once != nullptr && !context.actions().empty()) options.at_once->make()->run(context);

  // Search, and leave some of the budget for what follows.
  say(kSearching);
  const Budget budget = options.budget.share(options.share);
  evaluator.limit(until(budget, kSearchShare, evaluator));
  context.begin(options.proposals);
  if (!context.actions().empty()) options.searcher->make()->run(context);

  if (!options.decisions.empty()) {
    say("deciding single places of the program");
    evaluator.limit(until(budget, kDecideShare, evaluator));
    decide(context, options.decisions);
  }

  // Confirm the winner, or else the next best.
  say("confirming the winner");
  if (options.confirm)
    result.found = confirm(evaluator, std::move(result.found), context.leaders());
  else if (better(context.best(), result.found))
    result.found = context.best();
  result.best = result.found;

  const Evaluation& best_seed = *std::ranges::min_element(result.seeds, better);
  for (const Evaluation& leader : context.leaders()) {
    if (leader.state != result.found.state && better(leader, best_seed)) result.others.push_back(leader);
  }

  // Leave out what does not matter.
  evaluator.limit(until(budget, kMinimizeShare, evaluator));
  if (options.minimize) {
    say("minimising the winner");
    Evaluation shorter = minimize(evaluator, result.best);
    if (shorter.actions.size() < result.best.actions.size()) {
      shorter = evaluator.evaluateOne(std::move(shorter.actions), Effort::kFresh);
      if (!better(result.best, shorter)) result.best = std::move(shorter);
    }
  }

  std::erase_if(result.others, [&](const Evaluation& other) { return other.state == result.best.state; });

  // Say what the rest is good for.
  evaluator.limit(budget);
  if (options.explain) say("asking what each pass is good for");
  if (options.explain) result.contributions = explain(evaluator, result.best);

  ORDO_TRY(evaluator.status());
  evaluator.limit(options.budget);
  if (!options.program.empty() && evaluator.progress() < 1 && !evaluator.stopped()) {
    ORDO_TRY_ASSIGN(std::optional<std::string> program, evaluator.observe(result.best, options.program));
    result.program = std::move(program).value_or("");
  }
  result.statistics = evaluator.statistics();
  return result;
}

}  // namespace ordo::search
