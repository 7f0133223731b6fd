// collectRun() has two parts. While the search runs, a Listener keeps one answer for each sequence, in the
// order in which they were first heard. Then replayBest() goes through what was measured, from the best on,
// in a session of its own: Replayer replays each once to drop the actions that leave the program as it is,
// and once more to record states and values. Sequences that end in a program seen before are passed over, by
// the search's hash before the replay and by the replay's own after it.
#include "campaigns/collect_run.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "support/usage.h"

namespace ordo::campaigns {
namespace {

// Hears what a search evaluates.
class Listener {
 public:
  void hear(const search::Evaluation& answer) {
    const auto [place, is_new] = places_.emplace(answer.actions, answers_.size());
    if (is_new)
      answers_.push_back(answer);
    else if (answer.verdict >= answers_[place->second].verdict)
      answers_[place->second] = answer;  // measured where it was screened out, or measured afresh
  }

  std::vector<experience::Attempt> attempts() const {
    std::vector<experience::Attempt> attempts;
    for (const search::Evaluation& answer : answers_) {
      experience::Attempt& attempt = attempts.emplace_back(experience::Attempt{answer.actions});
      if (answer.measured()) attempt.value = answer.value;
      if (answer.verdict == search::Verdict::kScreened) attempt.screen = answer.screen;
    }
    return attempts;
  }

  // What was measured, by value; the shorter and then the earlier among equals.
  std::vector<const search::Evaluation*> ranked() const {
    std::vector<const search::Evaluation*> ranked;
    for (const search::Evaluation& answer : answers_) {
      if (answer.measured()) ranked.push_back(&answer);
    }
    std::ranges::sort(ranked, [](const search::Evaluation* a, const search::Evaluation* b) {
      if (a->value != b->value) return a->value < b->value;
      if (a->actions.size() != b->actions.size()) return a->actions.size() < b->actions.size();
      return a < b;  // both are elements of answers_
    });
    return ranked;
  }

 private:
  std::vector<search::Evaluation> answers_;
  std::map<search::Sequence, std::size_t> places_;  // in answers_
};

Result<experience::Numbers> numbersOf(const env::Observation& observed,
                                      const experience::ObservationInfo& info) {
  const auto copied = [&](auto number) {
    std::vector<decltype(number)> numbers(observed.bytes.size() / sizeof(number));
    if (!numbers.empty()) std::memcpy(numbers.data(), observed.bytes.data(), observed.bytes.size());
    return numbers;
  };
  if (observed.dtype != info.dtype || observed.bytes.size() != info.width * elementBytes(info.dtype))
    return fail(ErrorCode::kInternal, "the observation {} is not what it was said to be", info.name);
  if (info.dtype == DType::kInt64) return copied(std::int64_t{});
  std::vector<float> numbers = copied(float{});
  if (!std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }))
    return fail(ErrorCode::kUnsupported, "its observation {} is not finite", info.name);
  return numbers;
}

// Keeps each distinct state once.
class States {
 public:
  States(const std::vector<experience::ObservationInfo>& observations, std::vector<experience::State>& states)
      : infos_(observations), states_(states) {
    for (const experience::ObservationInfo& info : infos_) names_.push_back(info.name);
  }

  const std::vector<std::string>& names() const { return names_; }

  // Adds the state that `report` observed to what is told of `best`.
  Status record(const env::StepReport& report, experience::Best& best) {
    if (names_.empty()) return {};
    experience::State state;
    for (std::size_t i = 0; i < infos_.size(); ++i) {
      ORDO_TRY_ASSIGN(experience::Numbers numbers, numbersOf(report.observations[i], infos_[i]));
      state.push_back(std::move(numbers));
    }
    const auto [known, is_new] = indices_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (is_new) states_.push_back(std::move(state));
    best.states.push_back(known->second);
    return {};
  }

 private:
  const std::vector<experience::ObservationInfo>& infos_;
  std::vector<std::string> names_;
  std::vector<experience::State>& states_;
  std::map<experience::State, std::uint32_t> indices_;
};

// Replays sequences from the program as given, one action at a time, in a session that no search has used.
class Replayer {
 public:
  Replayer(env::Session& session, const CollectRunOptions& options, experience::Run& run)
      : session_(session), options_(options), run_(run), states_(options.observations, run.states) {}

  // Adds what of a sequence does anything, unless a sequence before leads to the same program, or it fails
  // now.
  Status add(const search::Evaluation& answer) {
    if (programs_.contains(answer.state)) return {};
    ORDO_TRY_ASSIGN(experience::Sequence actions, withoutIdle(answer.actions));
    experience::Best best{std::move(actions), {}, {}};
    ORDO_TRY_ASSIGN(env::StepReport report, session_.step({.reset = true, .observations = states_.names()}));
    if (!report.outcome.ok()) return {};
    ORDO_TRY(states_.record(report, best));
    for (const env::ActionIndex action : best.actions) {
      ORDO_TRY_ASSIGN(report, session_.step({.actions = {action}, .observations = states_.names()}));
      if (!report.outcome.ok()) return {};
      ORDO_TRY(states_.record(report, best));
    }
    ORDO_TRY_ASSIGN(report, session_.step({.hash = true, .metrics = options_.metrics}));
    for (std::size_t i = 0; i < options_.metrics.size(); ++i) {
      if (report.measurements[i].ok()) best.values[options_.metrics[i]] = report.measurements[i].value;
    }
    if (!best.values.contains(options_.objective.metric) || !programs_.insert(report.hash).second) return {};
    run_.best.push_back(std::move(best));
    return {};
  }

 private:
  // The actions after which the program is another than before, up to the first that fails.
  Result<experience::Sequence> withoutIdle(const experience::Sequence& actions) {
    ORDO_TRY_ASSIGN(env::StepReport report, session_.step({.reset = true, .hash = true}));
    experience::Sequence active;
    Hash128 before = report.hash;
    for (const env::ActionIndex action : actions) {
      ORDO_TRY_ASSIGN(report, session_.step({.actions = {action}, .hash = true}));
      if (!report.outcome.ok() || report.hash != before) active.push_back(action);
      if (!report.outcome.ok()) break;
      before = report.hash;
    }
    return active;
  }

  env::Session& session_;
  const CollectRunOptions& options_;
  experience::Run& run_;
  std::set<Hash128> programs_;
  States states_;
};

Status checkStop(const CollectRunOptions& options) {
  if (options.stop == nullptr || !options.stop->load()) return {};
  return fail(ErrorCode::kDeadlineExceeded, "stopped");
}

// A search works on forks, which may differ from a replay in one go (passes follow cached analyses); what is
// told of the best is what the replay says, and their order follows it.
Status replayBest(env::Session& session, const Listener& listener, const CollectRunOptions& options,
                  experience::Run& run) {
  Replayer replayer(session, options, run);
  for (const search::Evaluation* const answer : listener.ranked()) {
    if (run.best.size() == options.best) break;
    ORDO_TRY(checkStop(options));
    ORDO_TRY(replayer.add(*answer));
  }
  const auto before = [&](const experience::Best& a, const experience::Best& b) {
    const double left = a.values.at(options.objective.metric), right = b.values.at(options.objective.metric);
    if (left != right) return left < right;
    if (a.actions.size() != b.actions.size()) return a.actions.size() < b.actions.size();
    return a.actions < b.actions;
  };
  std::ranges::sort(run.best, before);
  return {};
}

}  // namespace

Result<experience::Run> collectRun(study::Site& site, const study::Subject& subject,
                                   const CollectRunOptions& options) {
  const double thread_before_s = threadCpuSeconds(), site_before_s = site.usage().cpu_s;
  experience::Run run;
  run.key = {subject.program.uri, options.objective.metric, std::string(options.searcher->name),
             options.seed};
  for (const study::Reference& reference : subject.program.references)
    run.references[reference.baseline][reference.metric] = reference.value;
  Listener listener;
  search::EvaluatorOptions evaluation;
  evaluation.stop = options.stop;
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(site.backend(), subject.spec, options.objective, evaluation));
  evaluator->listen([&](const search::Evaluation& answer) { listener.hear(answer); });
  search::SearchOptions search;
  search.searcher = options.searcher;
  search.budget = options.budget;
  search.seeds = {{subject.baseline}, {}};
  search.max_length = options.max_length;
  search.seed = options.seed;
  search.knowledge = subject.knowledge;
  search.explain = false;
  ORDO_TRY_ASSIGN(const search::SearchResult found, search::search(*evaluator, search));
  ORDO_TRY(checkStop(options));
  run.compiles = found.statistics.evaluations;
  run.tried = listener.attempts();

  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, site.backend().open(subject.spec));
  ORDO_TRY_ASSIGN(run.hash, session->stateHash());
  ORDO_TRY(replayBest(*session, listener, options, run));
  run.cpu_s = threadCpuSeconds() - thread_before_s + std::max(0.0, site.usage().cpu_s - site_before_s);
  return run;
}

Status restoreStates(env::Session& session, const std::vector<experience::ObservationInfo>& observations,
                     experience::Run& run) {
  run.states.clear();
  States states(observations, run.states);
  for (experience::Best& best : run.best) {
    best.states.clear();
    ORDO_TRY_ASSIGN(env::StepReport report, session.step({.reset = true, .observations = states.names()}));
    if (!report.outcome.ok())
      return fail(ErrorCode::kUnsupported, "{}: {}", run.key.uri, report.outcome.detail);
    ORDO_TRY(states.record(report, best));
    for (const env::ActionIndex action : best.actions) {
      ORDO_TRY_ASSIGN(report, session.step({.actions = {action}, .observations = states.names()}));
      if (!report.outcome.ok()) {
        return fail(ErrorCode::kUnsupported, "{}: a sequence that once was good fails now: {}", run.key.uri,
                    report.outcome.detail);
      }
      ORDO_TRY(states.record(report, best));
    }
  }
  return {};
}

}  // namespace ordo::campaigns
