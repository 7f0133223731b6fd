// Finder::run() is the order: prepare() builds and runs the baseline and refuses a budget too small to show a
// difference, findCandidates() decides (Opening) and drafts (addDrafts()), timeCandidates() races and tries.
// All candidates are on one bench; chosen_ are the numbers of those to be timed, raced_ what any race said of
// each. The timing at the end has all that the stages before it left of the budget. Once a stop was asked
// for, an error before the timing is dropped: the baseline is a result.
#include "runtime/faster.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

#include "env/metric.h"
#include "runtime/built_field.h"
#include "runtime/drafts.h"
#include "runtime/immediate.h"
#include "runtime/opening.h"
#include "runtime/timing.h"
#include "search/guided/draft.h"
#include "support/files.h"
#include "support/rng.h"
#include "support/text.h"
#include "timing/field_experiment.h"
#include "timing/selection.h"

namespace ordo::runtime {
namespace {

// Of the budget; what is left is for timing.
constexpr double kProfileShare = 0.06;
constexpr double kCallShare = 0.06, kStraightShare = 0.04, kLoopShare = 0.15;
constexpr double kDraftShare = 0.08, kBuildShare = 0.12;
// With immediate rewards: all before the race, and drafting in each generation.
constexpr double kSearchShare = 0.5, kGenerationShare = 0.05;
constexpr unsigned kMostRounds = 3;        // of races and trials, while they are void
constexpr int kFirstRuns = 3;              // of the baseline, the least of which says how long it takes
constexpr double kMostTimesBaseline = 10;  // that a candidate may run for
constexpr std::size_t kFewestCandidates = 4, kMostCandidates = 24;
constexpr std::size_t kMostChosen = 24;  // actions of a policy's draft

// Drafts, and the bench on which clang builds them.
class Drafted final : public Workshop {
 public:
  Drafted(Drafts drafts, BuiltField& bench) : drafts_(std::move(drafts)), bench_(bench) {}
  Result<std::vector<Proposal>> propose(const search::Sequence& start, std::size_t wanted) override {
    return drafts_.propose(start, wanted);
  }
  Result<Added> add(const search::Sequence& actions) override { return bench_.add(actions); }
  timing::Field& field() override { return bench_; }

 private:
  Drafts drafts_;
  BuiltField& bench_;
};

// The stages of findFaster(), each with its part of the budget.
class Finder {
 public:
  Finder(engine::Engine& engine, const engine::Input& input, env::SessionSpec& spec,
         env::ActionIndex baseline, const std::vector<search::Limit>& limits, const FasterOptions& options)
      : engine_(engine),
        input_(input),
        spec_(spec),
        baseline_(baseline),
        limits_(limits),
        options_(options) {}

  Result<Faster> run() {
    result_.best = {baseline_};
    result_.figure.metric = env::kRuntime;
    Status status = prepare();
    if (status) status = findCandidates();
    // What was interrupted is no failure: the baseline is there.
    if (!status && !stopAsked()) return fail(std::move(status).error());
    ORDO_TRY(timeCandidates());
    reportRaced();
    result_.statistics.seconds = clock_.seconds() - start_s_;
    return std::move(result_);
  }

 private:
  bool immediate() const { return options_.reward == Reward::kImmediate; }
  // Of the budget, for the race and the trials.
  double timingShare() const { return 1 - (immediate() ? kSearchShare : kDraftShare + kBuildShare); }
  double left() const { return options_.budget_s - (clock_.seconds() - start_s_); }
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
    for (const timing::Input& each : inputs)
      result_.timing.runs.push_back({each.name, each.args, each.input.string()});
    timing::RigOptions rig_options;
    rig_options.dir = options_.run ? options_.run_dir : input_.program.dir;
    rig_options.stop = options_.stop;
    rig_options.most_times_baseline = kMostTimesBaseline;
    say("building and running the baseline");
    ORDO_TRY_ASSIGN(TempDir dir, TempDir::create());
    bench_ = std::make_unique<BuiltField>(engine_, input_, spec_, baseline_, std::move(inputs),
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
    const double least_s = timing::leastSelectionSeconds(alone_s_) / timingShare();
    if (least_s > std::max(options_.budget_s, options_.most_s)) {
      return fail(
          ErrorCode::kInvalidArgument,
          "{} runs for {:.2g} s, so to show a difference takes a budget of {:.0f} s at least; or give "
          "it less to do with --run",
          name, alone_s_, std::ceil(least_s + options_.elsewhere_s));
    }
    if (least_s > options_.budget_s) {
      options_.budget_s = least_s;
      result_.notes.push_back(fmt::format("{} runs for {:.2g} s, so the budget became {:.0f} s", name,
                                          alone_s_, std::ceil(least_s + options_.elsewhere_s)));
    }
    return {};
  }

  // Leaves those that are to be timed on the bench, by number in chosen_.
  Status findCandidates() {
    const std::size_t own_actions = spec_.actions.size();
    // Nothing can be drawn around a pipeline that is all there is.
    const bool drafts = own_actions > 1;
    Opening opening(engine_, input_, spec_, baseline_, limits_, options_, *bench_, clock_);
    Status status = open(opening, drafts);
    result_.statistics = opening.statistics();
    std::ranges::copy(opening.notes(), std::back_inserter(result_.notes));
    races_ = opening.races();
    chosen_.resize(bench_->size());
    std::iota(chosen_.begin(), chosen_.end(), std::size_t{0});
    if (status && drafts) {
      search::DraftOptions draft;
      draft.actions = own_actions;
      draft.fixed = opening.prefix().size();
      draft.seed = options_.seed;
      status = addDrafts(draft);
    }
    ORDO_TRY(status);
    result_.timing.candidates = static_cast<std::int64_t>(races_.candidates + drafted_);
    result_.timing.refused = static_cast<std::int64_t>(races_.refused + drafts_refused_);
    return {};
  }

  // Loops have what drafts would have where there are none.
  Status open(Opening& opening, bool drafts) {
    const double all_s = options_.budget_s;
    if (!drafts) return opening.decideLoops(atMost(kLoopShare + kCallShare + kDraftShare + kBuildShare));
    if (options_.profile) ORDO_TRY(opening.decideProfile(kProfileShare * all_s));
    ORDO_TRY(opening.decideCalls(atMost(kCallShare)));
    ORDO_TRY(opening.decideStraight(atMost(kStraightShare)));
    return opening.decideLoops(atMost(kLoopShare));
  }

  // That share of the budget, in seconds, or less where timing needs it.
  double atMost(double share) const {
    const double later_s =
        immediate() ? kSearchShare * options_.budget_s
                    : (kDraftShare + kBuildShare) * options_.budget_s + timing::leastSelectionSeconds(run_s_);
    return std::min(share * options_.budget_s, left() - later_s);
  }

  // Around the best that is known, or else the baseline.
  Status addDrafts(search::DraftOptions draft) {
    std::vector<search::Limit> limits = limits_;
    // That limits nothing: the surrogate is told of it.
    if (immediate()) limits.push_back({env::kTextBytes, std::numeric_limits<double>::infinity()});
    ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                    openCounter(engine_, spec_, std::move(limits), options_));
    const search::Sequence start = chosen_.empty() ? search::Sequence{baseline_} : bench_->sequence(0);
    if (!options_.learned.policy.empty()) {
      ORDO_TRY_ASSIGN(draft.policy, policyDraft());
    }
    const Status status =
        immediate() ? searchByClock(*evaluator, start, draft) : draftCandidates(*evaluator, start, draft);
    result_.statistics += evaluator->statistics();
    return status;
  }

  // The policy's choices, in which clang's pipeline is whatever is known to be better than it.
  Result<search::PolicyDraftOptions> policyDraft() const {
    search::PolicyDraftOptions options;
    ORDO_TRY_ASSIGN(options.policy,
                    engine::loadPolicy(options_.learned.policy, engine_.info(), spec_.actions));
    options.max_actions = kMostChosen;
    options.stands_for = baseline_;
    return options;
  }

  Status draftCandidates(search::Evaluator& evaluator, const search::Sequence& start,
                         search::DraftOptions draft) {
    // What drafting, building and trials leave for the race, which runs each about four times by halving,
    // itself and the baseline.
    const double timing_s = left() - (kDraftShare + kBuildShare) * options_.budget_s;
    const double affordable = std::clamp(timing_s / 4 / (8 * run_s_), 0.0, 1.0 * kMostCandidates);
    draft.wanted = std::max(static_cast<std::size_t>(affordable), kFewestCandidates);
    say(fmt::format("drafting {} candidates", draft.wanted));
    evaluator.limit({.seconds = evaluator.statistics().seconds + kDraftShare * options_.budget_s});
    ORDO_TRY_ASSIGN(std::vector<search::Evaluation> drafted, search::draft(evaluator, start, draft));
    // In any order: there may be no time to build them all.
    Rng(options_.seed).shuffle(std::span(drafted));
    const double end_s = clock_.seconds() + kBuildShare * options_.budget_s;
    for (const search::Evaluation& evaluation : drafted) {
      if (stopAsked() || clock_.seconds() > end_s) break;
      say(fmt::format("building candidate {} of {}", bench_->size() + 1, drafted.size()));
      ORDO_TRY_ASSIGN(const Added added, bench_->add(evaluation.actions));
      if (added.code != Added::Code::kNew) continue;
      chosen_.push_back(added.candidate);
      ++drafted_;
    }
    return {};
  }

  // With immediate rewards.
  Status searchByClock(search::Evaluator& evaluator, const search::Sequence& start,
                       const search::DraftOptions& draft) {
    const std::size_t before = bench_->size();
    ORDO_TRY_ASSIGN(Drafts drafts,
                    Drafts::open(evaluator, start, draft, kGenerationShare * options_.budget_s));
    Drafted workshop(std::move(drafts), *bench_);
    ImmediateOptions by_time;
    by_time.budget_s = kSearchShare * options_.budget_s - (clock_.seconds() - start_s_);
    by_time.seed = options_.seed;
    by_time.stop = options_.stop;
    by_time.on_step = [&](std::string_view step) { say(step); };
    ORDO_TRY_ASSIGN(const ImmediateResult found, searchByTime(workshop, start, clock_, by_time));
    chosen_.insert(chosen_.end(), found.leaders.begin(), found.leaders.end());
    record(found.standings);
    drafted_ = bench_->size() - before;
    drafts_refused_ = found.refused;
    result_.rewards = found.rewards;
    return {};
  }

  // What races said of candidates of the bench, in addition to what others said.
  void record(std::span<const timing::Standing> standings) {
    for (const timing::Standing& standing : standings) {
      timing::Standing& known = raced_[standing.candidate];
      known.pairs.insert(known.pairs.end(), standing.pairs.begin(), standing.pairs.end());
      if (!standing.sound()) known.failure = standing.failure;
    }
  }

  void reportRaced() {
    for (const auto& [candidate, standing] : raced_) {
      if (standing.sound() && standing.pairs.empty()) continue;
      Raced& raced = result_.raced.emplace_back();
      for (const env::ActionIndex action : bench_->sequence(candidate))
        raced.actions.push_back(spec_.actions[action].name);
      raced.pairs = standing.pairs.size();
      if (standing.sound()) raced.score = standing.score();
      raced.failure = standing.failure;
    }
    std::ranges::sort(result_.raced, [](const Raced& a, const Raced& b) {
      return std::tuple(a.failure.empty(), a.score, b.actions) >
             std::tuple(b.failure.empty(), b.score, a.actions);
    });
  }

  Status timeCandidates() {
    recipe::Timing& timing = result_.timing;
    if (chosen_.empty() || stopAsked()) {
      const auto verdict = stopAsked() ? timing::Verdict::kVoid : timing::Verdict::kNoDifference;
      timing.verdict = timing::name(verdict);
      timing.why = stopAsked() ? "it was interrupted before anything was known"
                   : races_.candidates > 0
                       ? "no decision about calls, straight code or loops looked faster than none"
                       : "no candidate has other code than the baseline";
      return {};
    }
    timing::SelectionOptions selection_options;
    // What came before takes about the same part of a larger budget.
    selection_options.share = std::clamp(left() / options_.budget_s, 0.1, 1.0);
    selection_options.seed = options_.seed;
    selection_options.stop = options_.stop;
    selection_options.on_step = [&](std::string_view step) { say(step); };
    ChosenField field(*bench_, chosen_);
    timing::FieldExperiment experiment(field, clock_, {.stop = options_.stop});
    timing::Selection selection;
    // A void claims nothing, so it may be tried anew while there is time.
    for (unsigned round = 0; round < kMostRounds; ++round) {
      selection_options.budget_s = left();
      ORDO_TRY_ASSIGN(selection, timing::select(experiment, clock_, selection_options));
      timing.trials += selection.trials;
      ++selection_options.seed;
      if (selection.verdict != timing::Verdict::kVoid || stopAsked() ||
          left() < timing::leastSelectionSeconds(run_s_))
        break;
    }
    timing.verdict = timing::name(selection.verdict);
    timing.why = selection.why;
    std::vector<timing::Standing> standings = selection.standings;
    for (timing::Standing& standing : standings) standing.candidate = field.original(standing.candidate);
    record(standings);
    timing.refused += std::ranges::count_if(
        selection.standings, [](const timing::Standing& standing) { return !standing.sound(); });
    if (!selection.candidate) return {};
    if (const auto& effect = selection.last.effect) {
      timing.speedup = {
          .value = std::exp(effect->value), .low = std::exp(effect->low), .high = std::exp(effect->high)};
      timing.p = effect->p;
    }
    if (selection.last.baseline) result_.figure.baseline = result_.figure.tuned = *selection.last.baseline;
    if (selection.verdict == timing::Verdict::kBetter) {
      const std::size_t winner = field.original(*selection.candidate);
      result_.best = bench_->sequence(winner);
      result_.hash = bench_->hash(winner);
      ORDO_CHECK(timing.speedup.has_value(), "a candidate is better, and by how much is not said");
      result_.figure.tuned = result_.figure.baseline / timing.speedup->value;
    }
    return {};
  }

  engine::Engine& engine_;
  const engine::Input& input_;
  env::SessionSpec& spec_;
  const env::ActionIndex baseline_;
  const std::vector<search::Limit>& limits_;
  FasterOptions options_;
  const SteadyClock clock_;
  const double start_s_ = clock_.seconds();
  double run_s_ = 0, alone_s_ = 0;  // of the baseline, on the wall clock and of the processor
  DecisionRaces races_;
  std::size_t drafted_ = 0, drafts_refused_ = 0;  // and built
  std::unique_ptr<BuiltField> bench_;
  std::vector<std::size_t> chosen_;                // of the bench, for the race and the trials
  std::map<std::size_t, timing::Standing> raced_;  // by candidate of the bench
  Faster result_;
};

}  // namespace

Result<Faster> findFaster(engine::Engine& engine, const engine::Input& input, env::SessionSpec& spec,
                          env::ActionIndex baseline, const std::vector<search::Limit>& limits,
                          const FasterOptions& options) {
  return Finder(engine, input, spec, baseline, limits, options).run();
}

}  // namespace ordo::runtime
