// runMethod() measures the seeds, then lets the method run in a SearchContext while a Recorder hears every
// answer: it keeps improvements, and the best so far whenever the number of evaluations passes a checkpoint.
// Processor time has three parts: the workers', the method's (this thread's outside of the evaluator, and its
// own process's), and the rest of this thread's. Only when all clocks have been read does confirm() replay
// the best of each checkpoint in fresh sessions, so that no figure of time has it.
#include "study/run.h"

#include <algorithm>
#include <numeric>

namespace ordo::study {
namespace {

// How many answers may pass between two looks at the memory of the workers.
constexpr std::uint64_t kLookEvery = 64;

// Listens to a search and keeps what a study wants to know. One thread.
class Recorder {
 public:
  Recorder(const Site& site, const Subject& subject, const RunOptions& options, const Attempt& attempt,
           Run& run)
      : site_(site), subject_(subject), budgets_(budgetsOf(options.compiles)), attempt_(attempt), run_(run) {}

  void start() {
    thread_before_s_ = threadCpuSeconds();
    site_before_s_ = site_.usage().cpu_s;
  }

  // From now on what is evaluated is the method's own.
  void endOfSeeds(std::uint64_t evaluations) { seeds_ = evaluations; }

  // What is beyond the budget, as a search inside of a method may go to confirm its winner, counts for
  // nothing.
  void hear(const search::Evaluation& evaluation, const search::Statistics& totals) {
    if (evaluation.number > budgets_.back()) return;
    last_ = {evaluation.number, totals.passes, evaluation.seconds};
    if (evaluation.number > seeds_ && seeds_ > 0) consider(evaluation);
    while (next_ < budgets_.size() && evaluation.number >= budgets_[next_]) checkpoint(budgets_[next_++]);
    if (evaluation.number % kLookEvery == 0) look();
  }

  // The budgets that were not reached because the method had ended.
  void finish() {
    while (next_ < budgets_.size()) checkpoint(budgets_[next_++]);
    look();
  }

  double cpuSeconds() { return ownThreadSeconds() + look() + attempt_.cpuSeconds(); }
  double ownThreadSeconds() const { return threadCpuSeconds() - thread_before_s_; }

  // Processor time of the workers so far.
  double look() {
    const FamilyUsage usage = site_.usage();
    run_.peak_bytes = std::max(run_.peak_bytes, usage.peak_bytes);
    worker_s_ = std::max(worker_s_, usage.cpu_s - site_before_s_);
    return worker_s_;
  }

  // The method's own best by each checkpoint.
  const std::vector<search::Evaluation>& bests() const { return bests_; }

 private:
  void consider(const search::Evaluation& evaluation) {
    if (evaluation.verdict < search::Verdict::kScreened || !search::better(evaluation, best_)) return;
    best_ = evaluation;
    // What was screened out has no value yet; it gets one if nothing better comes until a checkpoint.
    if (!evaluation.measured()) return;
    Improvement improvement{evaluation.number,  last_.passes,     cpuSeconds(),
                            evaluation.seconds, evaluation.value, {}};
    for (const env::ActionIndex action : evaluation.actions)
      improvement.actions.push_back(subject_.spec.actions[action].name);
    run_.improvements.push_back(std::move(improvement));
  }

  void checkpoint(std::uint64_t budget) {
    run_.checkpoints.push_back({budget, last_.evaluation, last_.passes, cpuSeconds(), last_.wall_s, {}});
    bests_.push_back(best_);
  }

  struct Moment {
    std::uint64_t evaluation = 0;
    std::uint64_t passes = 0;
    double wall_s = 0;
  };

  const Site& site_;
  const Subject& subject_;
  const std::vector<std::uint64_t> budgets_;
  const Attempt& attempt_;
  Run& run_;
  double thread_before_s_ = 0, site_before_s_ = 0, worker_s_ = 0;
  std::uint64_t seeds_ = 0;
  std::size_t next_ = 0;  // of budgets_
  Moment last_;
  search::Evaluation best_;  // kSkipped until there is one
  std::vector<search::Evaluation> bests_;
};

// Every metric that can be measured of what `actions` make of the program, in a fresh session; nothing if
// they fail now.
Result<std::vector<Figure>> measureFresh(Site& site, const Subject& subject, const search::Sequence& actions,
                                         const std::vector<std::string>& metrics) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, site.backend().open(subject.spec));
  ORDO_TRY_ASSIGN(const env::StepReport report, session->step({.actions = actions, .metrics = metrics}));
  std::vector<Figure> figures;
  for (std::size_t i = 0; report.outcome.ok() && i < metrics.size(); ++i) {
    if (report.measurements[i].ok()) figures.push_back({metrics[i], report.measurements[i].value});
  }
  return figures;
}

// Replays the best of each checkpoint. A search works on forks, which may differ from a replay in one go
// (passes follow cached analyses); what is reported is what the replay says. What fails there counts as
// nothing found.
Status confirm(Site& site, const Subject& subject, const RunOptions& options,
               const std::vector<search::Evaluation>& bests, Run& run) {
  for (std::size_t i = 0; i < bests.size(); ++i) {
    if (bests[i].verdict == search::Verdict::kSkipped) continue;
    if (i > 0 && bests[i].number == bests[i - 1].number) {
      run.checkpoints[i].own = run.checkpoints[i - 1].own;
      continue;
    }
    ORDO_TRY_ASSIGN(run.checkpoints[i].own, measureFresh(site, subject, bests[i].actions, options.metrics));
  }
  return {};
}

// Replays what a dialogue came to. What fails there is no answer.
Status confirmAnswer(Site& site, const Subject& subject, const RunOptions& options, Talk& talk) {
  search::Sequence answer;
  for (const std::string& name : talk.actions) {
    const auto found = std::ranges::find(subject.spec.actions, name, &env::Action::name);
    answer.push_back(static_cast<env::ActionIndex>(found - subject.spec.actions.begin()));
  }
  ORDO_TRY_ASSIGN(const std::vector<Figure> figures, measureFresh(site, subject, answer, options.metrics));
  talk.value = valueOf(figures, options.objective.metric);
  if (!talk.value && talk.answered) {
    talk.answered = false;
    talk.why = "its answer failed when it was replayed";
  }
  return {};
}

Status checkStop(const RunOptions& options) {
  if (options.stop == nullptr || !options.stop->load()) return {};
  return fail(ErrorCode::kDeadlineExceeded, "stopped");
}

}  // namespace

Result<Run> runMethod(Site& site, const Subject& subject, const RunOptions& options) {
  Run run;
  run.key = {options.method.name, subject.program.uri, options.objective.metric, options.seed};
  const std::unique_ptr<Attempt> attempt =
      options.method.make({subject.program.uri, options.objective.metric, options.seed, options.compiles});
  Recorder recorder(site, subject, options, *attempt, run);
  recorder.start();
  search::EvaluatorOptions evaluator_options;
  evaluator_options.stop = options.stop;
  ORDO_TRY_ASSIGN(
      const std::unique_ptr<search::Evaluator> evaluator,
      search::Evaluator::open(site.backend(), subject.spec, options.objective, std::move(evaluator_options)));

  // As a tuning run does: the baseline and the program as it is come first, measured in full.
  std::vector<search::Evaluation> seeds =
      evaluator->evaluate({{subject.baseline}, {}}, search::Effort::kFresh);
  ORDO_TRY(evaluator->status());
  const auto best_seed = std::ranges::min_element(seeds, search::better);
  if (!best_seed->measured()) {
    run.failure = fmt::format("neither the baseline nor the program as it is can be measured: {}: {}",
                              env::name(seeds.front().status), seeds.front().detail);
    return run;
  }
  run.seed_value = best_seed->value;
  for (const search::Evaluation& seed : seeds) recorder.hear(seed, evaluator->statistics());
  recorder.endOfSeeds(seeds.size());

  evaluator->limit({.evaluations = static_cast<double>(options.compiles)});
  double thinking_s = 0;  // of this thread
  Status ran;
  {
    search::SearchContext context(*evaluator, std::move(seeds), options.max_length, Rng(options.seed), {},
                                  subject.knowledge);
    evaluator->listen(
        [&](const search::Evaluation& evaluation) { recorder.hear(evaluation, evaluator->statistics()); });
    const double before_s = threadCpuSeconds();
    ran = attempt->run(context);
    evaluator->listen({});
    thinking_s = std::max(0.0, threadCpuSeconds() - before_s - context.evaluatingCpuSeconds());
  }
  ORDO_TRY(evaluator->status());
  ORDO_TRY(checkStop(options));
  if (!ran && ran.error().code == ErrorCode::kUnavailable) return fail(std::move(ran).error());
  if (!ran) run.failure = fmt::format("the method broke: {}", ran.error().message);
  recorder.finish();
  run.statistics = evaluator->statistics();
  run.wall_s = run.statistics.seconds;
  run.worker_cpu_s = recorder.look();
  run.method_cpu_s = thinking_s + attempt->cpuSeconds();
  run.start_cpu_s = attempt->startCpuSeconds();
  run.harness_cpu_s = recorder.ownThreadSeconds() - thinking_s;
  run.workers_died = site.workersDied();

  ORDO_TRY(confirm(site, subject, options, recorder.bests(), run));
  run.talk = attempt->talk();
  if (run.talk) ORDO_TRY(confirmAnswer(site, subject, options, *run.talk));
  return run;
}

}  // namespace ordo::study
