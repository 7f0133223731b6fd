// open() goes through the programs with packages taking turns, and tests as many at a time as are still
// missing, until there are enough. It shuffles them at the end, because any first part of them has to be a
// sample. Then both questions go the same way: on each program, one evaluator gets the baseline and all
// sequences as one batch (answersOn()). Where something cannot be measured, outcomes() leaves the program
// out; to costs() a failure is infinitely dear (search::relativeCost()).
#include "campaigns/yardstick.h"

#include <algorithm>
#include <atomic>

#include "campaigns/eval.h"
#include "engine/knowledge.h"
#include "env/metric.h"
#include "policy/encoder.h"
#include "search/evaluation/evaluator.h"

namespace ordo::campaigns {
namespace {

using Sequences = std::vector<experience::Sequence>;

// In an order in which packages take turns.
std::vector<std::string> inTurns(const std::set<std::string>& uris, Rng& rng) {
  std::map<std::string, std::vector<std::string>> packages;
  for (const std::string& uri : uris) packages[suiteOf(uri)].push_back(uri);
  for (auto& [name, programs] : packages) rng.shuffle(std::span(programs));
  std::vector<std::string> order;
  for (std::size_t turn = 0; order.size() < uris.size(); ++turn) {
    for (const auto& [name, programs] : packages)
      if (turn < programs.size()) order.push_back(programs[turn]);
  }
  return order;
}

// Whether a program may be tried on: it has the actions of the experience, and is what the options ask for.
Result<bool> suits(study::Site& site, const study::Subject& subject, const experience::Header& header,
                   const YardstickOptions& options) {
  if (!std::ranges::equal(subject.spec.actions, header.actions, {}, &env::Action::name)) return false;
  const std::optional<double> size = study::valueOf(subject.program, "initial", env::kIrInstructions);
  if (size && *size > static_cast<double>(options.max_instructions)) return false;
  if (options.kind.empty()) return true;
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, site.backend().open(subject.spec));
  ORDO_TRY_ASSIGN(const std::string_view kind, engine::kindOf(*session));
  return kind == options.kind || kind.starts_with(options.kind + "/");
}

// What the baseline and then each of `sequences` is worth on one program.
Result<std::vector<search::Evaluation>> answersOn(search::Evaluator& evaluator, const study::Subject& subject,
                                                  const Sequences& sequences) {
  std::vector<search::Sequence> batch{{subject.baseline}};
  batch.insert(batch.end(), sequences.begin(), sequences.end());
  std::vector<search::Evaluation> answers = evaluator.evaluate(std::move(batch));
  ORDO_TRY(evaluator.status());
  return answers;
}

// Of each of `sequences` on one program; empty where one of them or the baseline cannot be measured.
Result<std::vector<search::Outcome>> outcomesOn(study::Site& site, const study::Subject& subject,
                                                const std::string& objective, const std::string& observation,
                                                const Sequences& sequences) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(site.backend(), subject.spec, {objective, ""}));
  ORDO_TRY_ASSIGN(const std::vector<search::Evaluation> answers, answersOn(*evaluator, subject, sequences));
  if (!std::ranges::all_of(answers, &search::Evaluation::measured)) return std::vector<search::Outcome>();
  const std::vector<search::Evaluator::Place> places =
      evaluator->look({sequences.begin(), sequences.end()}, {observation});
  ORDO_TRY(evaluator->status());
  const double baseline = answers.front().value;
  std::vector<search::Outcome> outcomes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].state == nullptr || baseline <= 0 || answers[i + 1].value <= 0)
      return std::vector<search::Outcome>();
    outcomes.push_back({answers[i + 1].value / baseline, {}});
    for (const std::int64_t count : places[i].state->observations().front().int64s())
      outcomes.back().counts.push_back(static_cast<double>(count) / baseline);
  }
  return outcomes;
}

}  // namespace

Result<Yardstick> Yardstick::open(Stage& stage, const experience::Header& header,
                                  const std::vector<experience::Run>& runs, const YardstickOptions& options,
                                  Rng& rng) {
  std::set<std::string> uris(options.from.begin(), options.from.end());
  if (uris.empty())
    for (const experience::Run& run : runs) uris.insert(run.key.uri);
  const std::vector<std::string> programs = inTurns(uris, rng);
  Yardstick yardstick(stage, options);
  for (std::size_t from = 0; from < programs.size() && yardstick.programs() < options.programs;) {
    const std::size_t to = std::min(programs.size(), from + options.programs - yardstick.programs());
    const std::vector<std::string> next(programs.begin() + static_cast<std::ptrdiff_t>(from),
                                        programs.begin() + static_cast<std::ptrdiff_t>(to));
    std::vector<std::uint8_t> suit(next.size());
    ORDO_TRY(stage.forEach(
        next, [&](std::size_t i, study::Site& site, Result<const study::Subject*> subject) -> Status {
          if (!subject) return {};
          ORDO_TRY_ASSIGN(suit[i], suits(site, **subject, header, options));
          return {};
        }));
    for (std::size_t i = 0; i < next.size(); ++i)
      if (suit[i] != 0) yardstick.programs_.push_back(next[i]);
    from = to;
  }
  if (yardstick.programs_.empty())
    return fail(ErrorCode::kNotFound,
                "none of the programs is here{}; harvest them first (ordo dataset harvest)",
                options.kind.empty() ? "" : fmt::format(" and of the kind '{}'", options.kind));
  rng.shuffle(std::span(yardstick.programs_));
  return yardstick;
}

std::set<std::string> Yardstick::packages() const {
  std::set<std::string> packages;
  for (const std::string& uri : programs_) packages.insert(suiteOf(uri));
  return packages;
}

Status Yardstick::forEach(const std::string& objective, std::size_t sequences, std::size_t count,
                          const Work& work) {
  const std::vector<std::string> programs(programs_.begin(),
                                          programs_.begin() + static_cast<std::ptrdiff_t>(count));
  std::atomic<std::size_t> done = 0;
  return stage_.forEach(
      programs, [&](std::size_t i, study::Site& site, Result<const study::Subject*> subject) -> Status {
        if (!subject) return fail(std::move(subject).error());
        ORDO_TRY(work(i, site, **subject));
        if (options_.progress)
          options_.progress(fmt::format("{}: {}; {} sequences on {} of {} programs", objective, standing_,
                                        sequences, ++done, count));
        return {};
      });
}

Result<Yardstick::Costs> Yardstick::costs(const std::string& objective, const Sequences& sequences,
                                          std::size_t count) {
  Costs costs(sequences.size(), std::vector<double>(count));
  ORDO_TRY(forEach(objective, sequences.size(), count,
                   [&](std::size_t i, study::Site& site, const study::Subject& subject) -> Status {
                     ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                                     search::Evaluator::open(site.backend(), subject.spec, {objective, ""}));
                     ORDO_TRY_ASSIGN(const std::vector<search::Evaluation> answers,
                                     answersOn(*evaluator, subject, sequences));
                     for (std::size_t sequence = 0; sequence < sequences.size(); ++sequence)
                       costs[sequence][i] = search::relativeCost(answers[sequence + 1], answers.front());
                     return {};
                   }));
  return costs;
}

Result<std::vector<std::vector<search::Outcome>>> Yardstick::outcomes(const std::string& objective,
                                                                      const std::string& observation,
                                                                      const Sequences& sequences) {
  std::vector<std::vector<search::Outcome>> outcomes(programs());
  ORDO_TRY(forEach(objective, sequences.size(), programs(),
                   [&](std::size_t i, study::Site& site, const study::Subject& subject) -> Status {
                     ORDO_TRY_ASSIGN(outcomes[i],
                                     outcomesOn(site, subject, objective, observation, sequences));
                     return {};
                   }));
  std::erase_if(outcomes, &std::vector<search::Outcome>::empty);
  return outcomes;
}

}  // namespace ordo::campaigns
