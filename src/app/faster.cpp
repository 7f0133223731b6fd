#include "app/faster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "app/bench.h"
#include "app/loop_search.h"
#include "app/timing.h"
#include "search/draft.h"
#include "support/rng.h"
#include "support/text.h"
#include "timing/image.h"
#include "timing/selection.h"

namespace ordo::app {
namespace fs = std::filesystem;
namespace {

// Of the budget; what is left is for timing. Loops have less where timing needs it.
constexpr double kDraftShare = 0.15, kBuildShare = 0.2, kLoopShare = 0.25;
constexpr int kFirstRuns = 3;              // of the baseline, the least of which says how long it takes
constexpr double kMostTimesBaseline = 10;  // that a candidate may run for
constexpr std::size_t kFewestCandidates = 4, kMostCandidates = 64;

// The stages of findFaster(), each with its part of the budget.
class Finder {
 public:
  Finder(Engine& engine, const Input& input, env::SessionSpec& spec, env::ActionIndex baseline,
         const std::vector<search::Limit>& limits, const TuneOptions& options)
      : engine_(engine),
        input_(input),
        spec_(spec),
        baseline_(baseline),
        limits_(limits),
        options_(options) {}

  Result<Faster> run() {
    result_.best = {baseline_};
    result_.figure.metric = recipe::kRuntime;
    Status status = prepare();
    if (status) status = draftAndBuild();
    // What was interrupted is no failure: the baseline is there.
    if (!status && !stopAsked()) return fail(std::move(status).error());
    ORDO_TRY(timeCandidates());
    result_.statistics.seconds = clock_.seconds() - start_s_;
    return std::move(result_);
  }

 private:
  double left() const { return options_.budget.seconds - (clock_.seconds() - start_s_); }
  bool stopAsked() const { return options_.stop != nullptr && *options_.stop; }
  void say(std::string_view phase) const {
    if (options_.on_phase) options_.on_phase(phase);
  }

  Status prepare() {
    std::vector<timing::Input> inputs =
        options_.run ? std::vector{*options_.run} : timingInputs(input_.program);
    const std::string& name = input_.program.name;
    if (inputs.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  "nothing says how {} is run: say it with --run './{} ARGUMENTS', or in a program.toml with "
                  "tests (docs/formats/program.md)",
                  name, name);
    }
    result_.timing.checked = fmt::format("exit status and standard output in every run, on {} input{}",
                                         inputs.size(), inputs.size() == 1 ? "" : "s");
    timing::RigOptions rig_options;
    rig_options.dir = options_.run ? options_.run_dir : input_.program.dir;
    rig_options.stop = options_.stop;
    rig_options.most_times_baseline = kMostTimesBaseline;
    say("building and running the baseline");
    ORDO_TRY_ASSIGN(TempDir dir, TempDir::create());
    bench_ = std::make_unique<Bench>(engine_, input_, spec_, baseline_, std::move(inputs),
                                     std::move(rig_options), options_.seed, std::move(dir));
    if (Status status = bench_->prepare(); !status) {
      Error error = std::move(status).error();
      if (error.code == ErrorCode::kInvalidArgument) {
        error.message +=
            "; it has to be a whole program that does the same in each run, with files to read "
            "from where it is run, its folder to write in, and no network (docs/timing.md)";
      }
      return fail(std::move(error).context(fmt::format("{} cannot be timed", name)));
    }
    run_s_ = alone_s_ = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kFirstRuns; ++i) {
      ORDO_TRY_ASSIGN(const timing::Reading reading, bench_->runner().run(timing::Arm::kBaseline));
      run_s_ = std::min(run_s_, std::max(reading.wall_s, 1e-4));
      // While others have the processor it takes longer; that is for the trials to judge.
      alone_s_ = std::min({alone_s_, run_s_, reading.cpu_s});
    }
    result_.figure.baseline = result_.figure.tuned = alone_s_;
    const double least_s = timing::leastSelectionSeconds(alone_s_) / (1 - kDraftShare - kBuildShare);
    if (least_s > options_.budget.seconds) {
      return fail(
          ErrorCode::kInvalidArgument,
          "{} runs for {:.2g} s, so to show a difference takes a budget of {:.0f} s at least; or give "
          "it less to do with --run",
          name, alone_s_, std::ceil(least_s));
    }
    return {};
  }

  Status draftAndBuild() {
    const std::size_t own_actions = spec_.actions.size();
    ORDO_TRY_ASSIGN(const std::optional<LoopActions> loops,
                    LoopActions::add(engine_, input_, spec_, baseline_));
    search::EvaluatorOptions evaluator_options;
    evaluator_options.jobs = options_.jobs;
    evaluator_options.stop = options_.stop;
    search::Objective objective = objectiveFor("ir_instructions");
    objective.limits = limits_;
    ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                    search::Evaluator::open(engine_.backend(), spec_, objective, evaluator_options));
    Status status = loops ? decideLoops(*evaluator, *loops) : Status();
    // Nothing can be drawn around a pipeline that is all there is.
    if (status && own_actions > 1) status = draftCandidates(*evaluator, own_actions);
    result_.statistics = evaluator->statistics();
    return status;
  }

  Status decideLoops(search::Evaluator& evaluator, const LoopActions& loops) {
    const double spare_s =
        (1 - kDraftShare - kBuildShare) * options_.budget.seconds - timing::leastSelectionSeconds(run_s_);
    LoopSearchOptions search_options;
    search_options.budget_s = std::min(kLoopShare * options_.budget.seconds, spare_s);
    search_options.seed = options_.seed;
    search_options.stop = options_.stop;
    search_options.on_step = [&](std::string_view step) { say(step); };
    if (search_options.budget_s <= 0) return {};
    ORDO_TRY_ASSIGN(races_, searchLoops(*bench_, evaluator, loops, clock_, search_options));
    return {};
  }

  // Around the best that is known of loops, or else the baseline.
  Status draftCandidates(search::Evaluator& evaluator, std::size_t actions) {
    const double timing_s = (1 - kDraftShare - kBuildShare) * options_.budget.seconds;
    // Halving runs each about four times, itself and the baseline, in a third of that.
    const double affordable = std::min(timing_s / 3 / (8 * run_s_), 1.0 * kMostCandidates);
    search::DraftOptions draft;
    draft.wanted = std::max(static_cast<std::size_t>(affordable), kFewestCandidates);
    draft.actions = actions;
    draft.seed = options_.seed;
    say(fmt::format("drafting {} candidates", draft.wanted));
    evaluator.limit({.seconds = evaluator.statistics().seconds + kDraftShare * options_.budget.seconds});
    const search::Sequence start = bench_->size() > 0 ? bench_->sequence(0) : search::Sequence{baseline_};
    ORDO_TRY_ASSIGN(std::vector<search::Evaluation> drafted, search::draft(evaluator, start, draft));
    // In any order: there may be no time to build them all.
    Rng(options_.seed).shuffle(std::span(drafted));
    const double end_s = clock_.seconds() + kBuildShare * options_.budget.seconds;
    for (const search::Evaluation& evaluation : drafted) {
      if (stopAsked() || clock_.seconds() > end_s) break;
      say(fmt::format("building candidate {} of {}", bench_->size() + 1, drafted.size()));
      ORDO_TRY_ASSIGN(const bool is_new, bench_->add(evaluation.actions));
      drafted_ += is_new;
    }
    return {};
  }

  Status timeCandidates() {
    recipe::Timing& timing = result_.timing;
    timing.candidates = static_cast<std::int64_t>(races_.candidates + drafted_);
    timing.refused = static_cast<std::int64_t>(races_.refused);
    if (!bench_ || bench_->size() == 0 || stopAsked()) {
      const auto verdict = stopAsked() ? timing::Verdict::kVoid : timing::Verdict::kNoDifference;
      timing.verdict = timing::name(verdict);
      timing.why = stopAsked()             ? "it was interrupted before anything was known"
                   : races_.candidates > 0 ? "no decision about a loop looked faster than none"
                                           : "no candidate has other code than the baseline";
      return {};
    }
    timing::SelectionOptions selection_options;
    selection_options.budget_s = left();
    selection_options.trial.seed = options_.seed;
    selection_options.trial.stop = options_.stop;
    selection_options.on_step = [&](std::string_view step) { say(step); };
    ORDO_TRY_ASSIGN(const timing::Selection selection, timing::select(*bench_, clock_, selection_options));
    timing.verdict = timing::name(selection.verdict);
    timing.why = selection.why;
    timing.trials = selection.trials;
    timing.refused += std::ranges::count_if(
        selection.standings, [](const timing::Standing& standing) { return !standing.sound(); });
    if (!selection.candidate) return {};
    const timing::Trial& trial = selection.last.trial;
    if (!trial.fractions.empty()) {
      timing.speedup = std::exp(trial.candidate.value);
      timing.low = std::exp(trial.candidate.low);
      timing.high = std::exp(trial.candidate.high);
      timing.p = selection.last.p;
    }
    const auto typical = timing::typical(trial, timing::Arm::kBaseline, timing::Quantity::kCpu);
    if (typical) result_.figure.baseline = result_.figure.tuned = *typical;
    if (selection.verdict == timing::Verdict::kFaster) {
      result_.best = bench_->sequence(*selection.candidate);
      result_.hash = bench_->hash(*selection.candidate);
      result_.figure.tuned = result_.figure.baseline / timing.speedup;
    }
    return {};
  }

  Engine& engine_;
  const Input& input_;
  env::SessionSpec& spec_;
  const env::ActionIndex baseline_;
  const std::vector<search::Limit>& limits_;
  const TuneOptions& options_;
  const SteadyClock clock_;
  const double start_s_ = clock_.seconds();
  double run_s_ = 0, alone_s_ = 0;  // of the baseline, on the wall clock and of the processor
  LoopRaces races_;
  std::size_t drafted_ = 0;  // and built
  std::unique_ptr<Bench> bench_;
  Faster result_;
};

}  // namespace

Result<Faster> findFaster(Engine& engine, const Input& input, env::SessionSpec& spec,
                          env::ActionIndex baseline, const std::vector<search::Limit>& limits,
                          const TuneOptions& options) {
  return Finder(engine, input, spec, baseline, limits, options).run();
}

}  // namespace ordo::app
