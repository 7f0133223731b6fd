#include "app/coresets.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "search/evaluator.h"
#include "search/mine.h"
#include "support/rng.h"

namespace ordo::app {
namespace {

using experience::Run;

std::optional<double> valueOf(const Run& run, const std::string& reference) {
  const auto values = run.references.find(reference);
  if (values == run.references.end()) return std::nullopt;
  const auto value = values->second.find(run.key.objective);
  return value == values->second.end() ? std::nullopt : std::optional(value->second);
}

// Some of `all`, by chance.
template <typename T>
std::vector<T> drawn(const std::set<T>& all, std::size_t count, Rng& rng) {
  std::vector<T> some(all.begin(), all.end());
  rng.shuffle(std::span(some));
  some.resize(std::min(some.size(), count));
  return some;
}

// The best sequence of each run of an objective that gains anything.
std::set<experience::Sequence> winnersOf(const experience::Header& header, const std::vector<Run>& runs,
                                         const std::string& objective) {
  std::set<experience::Sequence> winners;
  for (const Run& run : runs) {
    const std::optional<double> baseline = valueOf(run, header.baseline);
    if (run.key.objective != objective || run.best.empty() || !baseline) continue;
    const auto best = std::ranges::min_element(
        run.best, {}, [&](const experience::Best& one) { return one.values.at(objective); });
    if (!best->actions.empty() && best->values.at(objective) < *baseline) winners.insert(best->actions);
  }
  return winners;
}

// Of each candidate on one program, in units of the baseline's value.
Result<std::vector<double>> costsOn(study::Site& site, const study::Subject& subject,
                                    const std::string& objective,
                                    const std::vector<experience::Sequence>& candidates) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(site.backend(), subject.spec, {objective, ""}));
  std::vector<search::Sequence> batch{{subject.baseline}};
  batch.insert(batch.end(), candidates.begin(), candidates.end());
  const std::vector<search::Evaluation> results = evaluator->evaluate(std::move(batch));
  ORDO_TRY(evaluator->status());
  std::vector<double> costs;
  for (std::size_t i = 1; i < results.size(); ++i)
    costs.push_back(search::relativeCost(results[i], results.front()));
  return costs;
}

}  // namespace

Result<Coresets> coresetsOf(const experience::Header& header, const std::vector<Run>& runs, Stage& stage,
                            const CoresetOptions& options) {
  std::set<std::string> objectives, uris;
  for (const Run& run : runs) {
    objectives.insert(run.key.objective);
    uris.insert(run.key.uri);
  }
  Rng rng(options.seed);
  const std::vector<std::string> programs = drawn(uris, options.programs, rng);
  Coresets coresets;
  for (const std::string& objective : objectives) {
    const std::vector<experience::Sequence> candidates =
        drawn(winnersOf(header, runs, objective), options.candidates, rng);
    std::vector<std::vector<double>> rows(programs.size());
    std::atomic<std::size_t> done = 0;
    const auto tryAll = [&](std::size_t i, study::Site& site,
                            Result<const study::Subject*> subject) -> Status {
      // A program that is not there, or whose actions are others now, has no say.
      if (subject && std::ranges::equal((*subject)->spec.actions, header.actions, {}, &env::Action::name)) {
        ORDO_TRY_ASSIGN(rows[i], costsOn(site, **subject, objective, candidates));
      }
      if (options.progress)
        options.progress(fmt::format("{}: {} sequences on {} of {} programs", objective, candidates.size(),
                                     ++done, programs.size()));
      return {};
    };
    ORDO_TRY(stage.forEach(programs, tryAll));
    std::erase_if(rows, [](const std::vector<double>& row) { return row.empty(); });
    if (rows.empty() && !candidates.empty())
      return fail(ErrorCode::kNotFound,
                  "none of the programs is here; harvest them first (ordo dataset harvest)");
    std::vector<std::vector<double>> costs(candidates.size());
    for (const std::vector<double>& row : rows) {
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i].push_back(row[i]);
    }
    std::vector<std::vector<std::string>>& coreset = coresets[objective];
    for (const std::size_t chosen : search::chooseCoreset(costs, options.size)) {
      std::vector<std::string>& names = coreset.emplace_back();
      for (const std::uint32_t action : candidates[chosen]) names.push_back(header.actions[action]);
    }
  }
  return coresets;
}

}  // namespace ordo::app
