#include "app/faster.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "app/reach.h"
#include "app/stock.h"
#include "app/timing.h"
#include "search/draft.h"
#include "support/files.h"
#include "support/rng.h"
#include "support/text.h"
#include "timing/image.h"
#include "timing/selection.h"

namespace ordo::app {
namespace fs = std::filesystem;
namespace {

constexpr double kDraftShare = 0.15, kBuildShare = 0.2;  // of the budget; the rest is for timing
constexpr double kMostTimesBaseline = 10;                // that a candidate may run for
constexpr std::size_t kFewestCandidates = 4, kMostCandidates = 64;

// Programs around one baseline, built and ready to run.
class Bench final : public timing::Field {
 public:
  Bench(Engine& engine, const Input& input, const env::SessionSpec& spec, env::ActionIndex baseline,
        std::vector<timing::Input> inputs, timing::RigOptions rig_options, std::uint64_t seed, TempDir dir)
      : engine_(engine),
        input_(input),
        spec_(spec),
        baseline_{baseline},
        inputs_(std::move(inputs)),
        rig_options_(std::move(rig_options)),
        rng_(seed),
        dir_(std::move(dir)) {}

  // Builds and runs the baseline.
  Status prepare() {
    ORDO_TRY_ASSIGN(const Build built, build(baseline_, "baseline", 0));
    ORDO_TRY(isNew(built.executable));
    ORDO_TRY_ASSIGN(rig_, timing::Rig::create(built.executable, built.executable, inputs_, rig_options_));
    rig_options_.processor = rig_->processor();
    return {};
  }

  // False if it has the code of another, or cannot be built after all.
  Result<bool> add(const search::Sequence& sequence) {
    Result<Build> built = build(sequence, fmt::format("candidate{}", entries_.size()), 0);
    if (!built) {
      const ErrorCode code = built.error().code;
      const bool is_its_own = code == ErrorCode::kInternal || code == ErrorCode::kInvalidArgument;
      return is_its_own ? Result<bool>(false) : fail(std::move(built).error());
    }
    ORDO_TRY_ASSIGN(const bool is_new, isNew(built->executable));
    if (is_new) entries_.push_back({sequence, *std::move(built)});
    return is_new;
  }

  const search::Sequence& sequence(std::size_t candidate) const { return entries_[candidate].sequence; }
  const Hash128& hash(std::size_t candidate) const { return entries_[candidate].build.hash; }

  std::size_t size() const override { return entries_.size(); }
  timing::Runner& runner() override { return *rig_; }
  Status enter(std::size_t candidate) override { return rig_->enter(entries_[candidate].build.executable); }

  Result<timing::Runner*> rebuild(std::size_t candidate) override {
    // Code starts at multiples of 16 bytes in any case, and what matters lies within a page.
    const std::size_t shift = 16 * rng_.between(1, 255);
    ORDO_TRY_ASSIGN(const Build baseline, build(baseline_, "baseline-anew", shift));
    ORDO_TRY_ASSIGN(const Build built, build(entries_[candidate].sequence, "candidate-anew", shift));
    // Should a pass depend on addresses, what won was luck; this is what the result would be.
    entries_[candidate].build.hash = built.hash;
    ORDO_TRY_ASSIGN(rebuilt_,
                    timing::Rig::create(baseline.executable, baseline.executable, inputs_, rig_options_));
    ORDO_TRY(rebuilt_->enter(built.executable));
    return rebuilt_.get();
  }

 private:
  struct Build {
    fs::path executable;
    Hash128 hash;  // of its IR
  };
  struct Entry {
    search::Sequence sequence;
    Build build;
  };

  Result<Build> build(const search::Sequence& sequence, std::string_view name, std::size_t shift) {
    std::vector<env::Action> actions;
    for (const env::ActionIndex action : sequence) actions.push_back(spec_.actions[action]);
    ORDO_TRY_ASSIGN(const State state, reach(engine_, input_, spec_.program, actions));
    ORDO_TRY_ASSIGN(const std::string object, frontend::emitObject(state.bitcode, input_.baseline.level,
                                                                   emissionSource(input_.source, actions)));
    const fs::path out = dir_.path() / name;
    ORDO_TRY(frontend::linkExecutable(object, input_.source, input_.program.ldflags, out, shift));
    return Build{out, state.hash};
  }

  Result<bool> isNew(const fs::path& executable) {
    ORDO_TRY_ASSIGN(const std::string bytes, readFile(executable));
    return loaded_.insert(timing::loadedHash(bytes)).second;
  }

  Engine& engine_;
  const Input& input_;
  const env::SessionSpec& spec_;
  const search::Sequence baseline_;
  const std::vector<timing::Input> inputs_;
  timing::RigOptions rig_options_;
  Rng rng_;  // of layouts
  TempDir dir_;
  std::unique_ptr<timing::Rig> rig_, rebuilt_;
  std::set<Hash128> loaded_;  // of the baseline and the candidates
  std::vector<Entry> entries_;
};

// The stages of findFaster(), each with its part of the budget.
class Finder {
 public:
  Finder(Engine& engine, const Input& input, const env::SessionSpec& spec, env::ActionIndex baseline,
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
    ORDO_TRY_ASSIGN(const timing::Reading reading, bench_->runner().run(timing::Arm::kBaseline));
    run_s_ = std::max(reading.wall_s, 1e-4);
    // While others have the processor it takes longer; that is for the trials to judge.
    const double alone_s = std::min(reading.cpu_s, run_s_);
    result_.figure.baseline = result_.figure.tuned = reading.cpu_s;
    const double least_s = timing::leastSelectionSeconds(alone_s) / (1 - kDraftShare - kBuildShare);
    if (least_s > options_.budget.seconds) {
      return fail(
          ErrorCode::kInvalidArgument,
          "{} runs for {:.2g} s, so to show a difference takes a budget of {:.0f} s at least; or give "
          "it less to do with --run",
          name, alone_s, std::ceil(least_s));
    }
    return {};
  }

  Result<std::vector<search::Evaluation>> draftCandidates() {
    const double timing_s = (1 - kDraftShare - kBuildShare) * options_.budget.seconds;
    // Halving runs each about four times, itself and the baseline, in a third of that.
    const double affordable = std::min(timing_s / 3 / (8 * run_s_), 1.0 * kMostCandidates);
    search::DraftOptions draft;
    draft.wanted = std::max(static_cast<std::size_t>(affordable), kFewestCandidates);
    draft.seed = options_.seed;
    say(fmt::format("drafting {} candidates", draft.wanted));
    search::EvaluatorOptions evaluator_options;
    evaluator_options.jobs = options_.jobs;
    evaluator_options.stop = options_.stop;
    search::Objective objective = objectiveFor("ir_instructions");
    objective.limits = limits_;
    ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                    search::Evaluator::open(engine_.backend(), spec_, objective, evaluator_options));
    evaluator->limit({.seconds = kDraftShare * options_.budget.seconds});
    Result<std::vector<search::Evaluation>> drafted = search::draft(*evaluator, {baseline_}, draft);
    result_.statistics = evaluator->statistics();
    // In any order: there may be no time to build them all.
    if (drafted) Rng(options_.seed).shuffle(std::span(*drafted));
    return drafted;
  }

  Status draftAndBuild() {
    ORDO_TRY_ASSIGN(const std::vector<search::Evaluation> drafted, draftCandidates());
    const double end_s = clock_.seconds() + kBuildShare * options_.budget.seconds;
    for (const search::Evaluation& evaluation : drafted) {
      if (stopAsked() || clock_.seconds() > end_s) break;
      say(fmt::format("building candidate {} of {}", bench_->size() + 1, drafted.size()));
      ORDO_TRY(bench_->add(evaluation.actions));
    }
    return {};
  }

  Status timeCandidates() {
    recipe::Timing& timing = result_.timing;
    timing.candidates = bench_ ? static_cast<std::int64_t>(bench_->size()) : 0;
    if (timing.candidates == 0 || stopAsked()) {
      const auto verdict = stopAsked() ? timing::Verdict::kVoid : timing::Verdict::kNoDifference;
      timing.verdict = timing::name(verdict);
      timing.why = stopAsked() ? "it was interrupted before anything was known"
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
    timing.refused = std::ranges::count_if(
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
  const env::SessionSpec& spec_;
  const env::ActionIndex baseline_;
  const std::vector<search::Limit>& limits_;
  const TuneOptions& options_;
  const SteadyClock clock_;
  const double start_s_ = clock_.seconds();
  double run_s_ = 0;
  std::unique_ptr<Bench> bench_;
  Faster result_;
};

}  // namespace

Result<Faster> findFaster(Engine& engine, const Input& input, const env::SessionSpec& spec,
                          env::ActionIndex baseline, const std::vector<search::Limit>& limits,
                          const TuneOptions& options) {
  return Finder(engine, input, spec, baseline, limits, options).run();
}

}  // namespace ordo::app
