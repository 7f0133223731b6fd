#include "app/coresets.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>
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

// What sequences cost on all programs.
class Trials {
 public:
  Trials(Stage& stage, const std::vector<std::string>& programs, const experience::Header& header,
         const std::string& objective, const CoresetOptions& options)
      : stage_(stage), programs_(programs), header_(header), objective_(objective), options_(options) {}

  // By sequence and program. A program that is not there, or whose actions are others now, has no say.
  Result<std::vector<std::vector<double>>> costs(const std::vector<experience::Sequence>& sequences) {
    std::vector<std::vector<double>> rows(programs_.size());
    std::atomic<std::size_t> done = 0;
    const auto tryAll = [&](std::size_t i, study::Site& site,
                            Result<const study::Subject*> subject) -> Status {
      if (subject && std::ranges::equal((*subject)->spec.actions, header_.actions, {}, &env::Action::name)) {
        ORDO_TRY_ASSIGN(rows[i], costsOn(site, **subject, objective_, sequences));
      }
      if (options_.progress)
        options_.progress(fmt::format("{}: {} sequences on {} of {} programs", objective_, sequences.size(),
                                      ++done, programs_.size()));
      return {};
    };
    ORDO_TRY(stage_.forEach(programs_, tryAll));
    std::erase_if(rows, [](const std::vector<double>& row) { return row.empty(); });
    if (rows.empty() && !sequences.empty())
      return fail(ErrorCode::kNotFound,
                  "none of the programs is here; harvest them first (ordo dataset harvest)");
    std::vector<std::vector<double>> costs(sequences.size());
    for (const std::vector<double>& row : rows) {
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i].push_back(row[i]);
    }
    return costs;
  }

 private:
  Stage& stage_;
  const std::vector<std::string>& programs_;
  const experience::Header& header_;
  const std::string& objective_;
  const CoresetOptions& options_;
};

// Of one sequence, where the baseline is there for programs that it does not serve.
double together(const std::vector<double>& costs) {
  return std::accumulate(costs.begin(), costs.end(), 0.0,
                         [](double sum, double cost) { return sum + std::min(cost, 1.0); });
}

bool isChoice(const experience::Header& header, std::uint32_t action) {
  return header.actions[action].starts_with(env::kCodegenPrefix);
}

// Sequences like `sequence`: without each of its actions, with each choice of the code generator, with some
// actions put in by chance, and with the passes of some others in the place of its own.
std::vector<experience::Sequence> likes(const experience::Sequence& sequence,
                                        const std::vector<experience::Sequence>& others,
                                        const experience::Header& header, std::size_t some, Rng& rng) {
  std::vector<experience::Sequence> found;
  const auto with = [&](std::size_t place, std::uint32_t action) {
    if (sequence.size() >= header.max_length) return;
    found.push_back(sequence);
    found.back().insert(found.back().begin() + static_cast<std::ptrdiff_t>(place), action);
  };
  for (std::size_t i = 0; i < sequence.size() && sequence.size() > 1; ++i) {
    found.push_back(sequence);
    found.back().erase(found.back().begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::uint32_t action = 0; action < header.actions.size(); ++action) {
    if (isChoice(header, action) && std::ranges::find(sequence, action) == sequence.end()) with(0, action);
  }
  const auto choice = [&](std::uint32_t action) { return isChoice(header, action); };
  for (std::size_t i = 0; i < some; ++i) {
    with(rng.between(0, sequence.size()), static_cast<std::uint32_t>(rng.below(header.actions.size())));
    experience::Sequence& mixed = found.emplace_back();
    std::ranges::copy_if(sequence, std::back_inserter(mixed), choice);
    std::ranges::remove_copy_if(others[rng.below(others.size())], std::back_inserter(mixed), choice);
    if (mixed.size() > header.max_length || mixed.empty()) found.pop_back();
  }
  return found;
}

// Betters the sequence that alone serves best, until none like it is better: it was the best for one program,
// and is to be the first for all.
Result<experience::Sequence> bettered(Trials& trials, const std::vector<experience::Sequence>& candidates,
                                      const std::vector<std::vector<double>>& costs,
                                      const experience::Header& header, const CoresetOptions& options,
                                      Rng& rng) {
  const auto first = std::ranges::min_element(costs, {}, together) - costs.begin();
  experience::Sequence best = candidates[static_cast<std::size_t>(first)];
  double least = together(costs[static_cast<std::size_t>(first)]);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    const std::vector<experience::Sequence> tried = likes(best, candidates, header, options.some, rng);
    ORDO_TRY_ASSIGN(const auto found, trials.costs(tried));
    const auto better = std::ranges::min_element(found, {}, together) - found.begin();
    if (found.empty() || together(found[static_cast<std::size_t>(better)]) >= least) break;
    least = together(found[static_cast<std::size_t>(better)]);
    best = tried[static_cast<std::size_t>(better)];
  }
  return best;
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
    std::vector<experience::Sequence> candidates =
        drawn(winnersOf(header, runs, objective), options.candidates, rng);
    std::vector<std::vector<std::string>>& coreset = coresets[objective];
    if (candidates.empty()) continue;
    Trials trials(stage, programs, header, objective, options);
    ORDO_TRY_ASSIGN(auto costs, trials.costs(candidates));
    ORDO_TRY_ASSIGN(const experience::Sequence first,
                    bettered(trials, candidates, costs, header, options, rng));
    ORDO_TRY_ASSIGN(auto of_first, trials.costs({first}));
    candidates.push_back(first);
    costs.push_back(std::move(of_first.front()));
    for (const std::size_t chosen : search::chooseCoreset(costs, options.size)) {
      std::vector<std::string>& names = coreset.emplace_back();
      for (const std::uint32_t action : candidates[chosen]) names.push_back(header.actions[action]);
    }
  }
  return coresets;
}

}  // namespace ordo::app
