#include "tune/tune.h"

#include <algorithm>
#include <cmath>

#include "engine/limits.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "env/metric.h"
#include "runtime/faster.h"
#include "tune/by_function.h"
#include "tune/calls.h"
#include "tune/job.h"

namespace ordo::tune {
namespace {

// Results that are asked after the winner, before the baseline is left.
constexpr std::size_t kNextBest = 4;

// Of a budget for run time, that is for searching and timing at least.
constexpr double kTimed = 0.75;

// In times of what the baseline took: what a search needs for its first candidates alone, the baseline among
// them, and one of a large program that is worth its name.
constexpr double kLeastAnswers = 3, kFewAnswers = 10;

// What has to be left for a search to go on once functions have nothing more to try.
constexpr double kGoOn = 0.15;

// Of a budget, what the first answer may take where nothing is left of it: on a busy machine compiling alone
// can take all of it, and seconds are a promise about the end, not about nothing.
constexpr double kOvertime = 0.5;

// Where making the baseline has taken most of the budget, and measuring it anew would take as much again: the
// first answer, if one more program can be made before the end, or soon after.
Result<Found> withoutSearch(const Job& job, const TuneOptions& options) {
  const double enough_s =
      options.budget.seconds - job.secondsToSearch() + kFewAnswers * job.baselineSeconds();
  Found found{.candidates = {{job.baseline()}}, .contributions = {}, .statistics = {}};
  found.holds = [](const engine::State&) -> Result<bool> { return true; };
  const bool fits = job.secondsLeft() >= job.baselineSeconds() ||
                    kOvertime * options.budget.seconds >= job.baselineSeconds();
  if (fits) {
    ORDO_TRY_ASSIGN(const std::optional<search::Sequence> first, job.tryFirstAnswer());
    if (first) found.candidates.insert(found.candidates.begin(), *first);
    found.statistics.evaluations = found.statistics.measurements = 1;
  }
  found.notes.push_back(
      fmt::format("{}: to make and to measure the baseline took {:.1f} s of a budget of {:.3g} "
                  "s; with --budget {:.0f}s there is time for a few others",
                  fits ? "nothing was tried but the sequence that comes first" : "nothing was searched",
                  job.baselineSeconds(), options.budget.seconds, std::ceil(enough_s)));
  return found;
}

// What is left of a budget for searching.
search::Budget leftOf(const Job& job, const TuneOptions& options) {
  const search::Statistics& used = job.searched();
  return {job.secondsToSearch(), options.budget.evaluations - static_cast<double>(used.evaluations),
          options.budget.passes - static_cast<double>(used.passes)};
}

bool isAtLeast(const search::Budget& left, const search::Budget& least) {
  return left.seconds >= least.seconds && left.evaluations >= least.evaluations &&
         left.passes >= least.passes;
}

bool isStopped(const TuneOptions& options) { return options.stop != nullptr && options.stop->load(); }

// A sequence for each function, and what stands around them.
struct Chosen {
  Track track;
  ByFunction by_function;
};

// Chooses behind `best`, which comes to `least`; nothing if that stays the best.
Result<std::optional<Chosen>> chooseBehind(engine::Engine& engine, Job& job, const TuneOptions& options,
                                           const Beginning& best, double least) {
  if (options.on_phase) options.on_phase("choosing a sequence for each function");
  ORDO_TRY_ASSIGN(const search::Knowledge knowledge,
                  engine::loadKnowledge(options.learned, engine.backend(), job.spec()));
  ORDO_TRY_ASSIGN(const search::FunctionSequences mined,
                  engine::loadFunctionSequences(options.learned, engine.info()));
  const std::vector<Track> tracks =
      tracksBehind(best, job.spec().actions, knowledge.coreset(options.objective), mined);
  const double left = leftOf(job, options).evaluations;
  const ByFunctionOptions by_function{.objective = options.objective,
                                      .least = least,
                                      .limits = job.limits(),
                                      .seed = options.seed,
                                      .done = [&](std::size_t emissions, double ahead_s) {
                                        return job.secondsToSearch() <= ahead_s ||
                                               static_cast<double>(emissions) >= left || isStopped(options);
                                      }};
  const double begin_s = options.clock->seconds();
  ORDO_TRY_ASSIGN(ByFunction chosen, chooseByFunction(engine, job.spec(), tracks, by_function));
  search::Statistics used;
  used.evaluations = chosen.emissions;
  used.seconds = options.clock->seconds() - begin_s;
  job.count(used);
  if (!chosen.found()) return std::nullopt;
  const Track& track = tracks[chosen.track];
  return Chosen{track, std::move(chosen)};
}

// Puts them in front of the candidates.
void addChoices(Job& job, const Chosen& chosen, Found& found) {
  search::Sequence sequence = chosen.track.prefix;
  sequence.push_back(static_cast<env::ActionIndex>(job.spec().actions.size()));
  job.spec().actions.push_back(env::choose(chosen.by_function.choices));
  sequence.insert(sequence.end(), chosen.track.suffix.begin(), chosen.track.suffix.end());
  search::Evaluation now;
  now.actions = sequence;
  now.verdict = search::Verdict::kMeasured;
  now.value = chosen.by_function.value;
  job.tell(std::move(now));
  // What was asked of the passes of the best stands if they are still in front.
  if (chosen.track.prefix != found.candidates.front()) found.contributions.clear();
  found.candidates.insert(found.candidates.begin(), std::move(sequence));
  found.by_function = chosen.by_function.saved;
}

// A search for the whole program, then for its functions. Where these have nothing more to try before the
// budget is over, both go on, behind what was best.
Result<Found> findByMetric(engine::Engine& engine, const engine::Input& input, Job& job,
                           const TuneOptions& options) {
  // What is proposed for a kernel is tried all the same (Job::search()).
  if (options.objective != engine::kKernelTime &&
      job.secondsToSearch() < kLeastAnswers * job.baselineSeconds())
    return withoutSearch(job, options);
  search::Objective objective = engine::objectiveFor(options.objective);
  objective.limits = job.limits();
  search::SearchOptions search_options;
  search_options.seed = options.seed;
  search_options.budget = options.budget;
  const bool chooses = options.functions && choosesByFunction(engine.info(), options.objective);
  if (chooses) {
    ORDO_TRY_ASSIGN(const std::size_t functions, functionsOf(engine, input, job.spec()));
    const double answers =
        std::min(options.budget.evaluations, job.secondsToSearch() / job.baselineSeconds());
    search_options.share = 1 - shareOf(functions, answers);
    search_options.program = engine.info().program;
  }
  if (options.calls && decidesCalls(engine.info(), options.objective)) {
    ORDO_TRY_ASSIGN(search_options.decisions, addCalls(engine, input, job.spec()));
  }
  ORDO_TRY_ASSIGN(search::SearchResult result, job.search(objective, search_options, options.on_answer));
  std::optional<Chosen> chosen;
  for (bool is_new = chooses; is_new;) {
    const search::Statistics before = job.searched();
    const double least =
        std::min(result.best.value, chosen ? chosen->by_function.value : search::Budget::kUnlimited);
    ORDO_TRY_ASSIGN(std::optional<Chosen> better,
                    chooseBehind(engine, job, options, {result.best.actions, result.program}, least));
    if (better) chosen = std::move(better);
    search_options.budget = leftOf(job, options);
    if (isStopped(options) || !isAtLeast(search_options.budget, options.budget.share(kGoOn))) break;
    // Functions are to have as much again.
    search_options.share = 1;
    search_options.budget.seconds -= job.searched().seconds - before.seconds;
    search_options.budget.evaluations -=
        static_cast<double>(job.searched().evaluations) - static_cast<double>(before.evaluations);
    search_options.proposals = {result.best.actions};
    ++search_options.seed;
    ORDO_TRY_ASSIGN(search::SearchResult next, job.search(objective, search_options, options.on_answer));
    is_new = next.best.value < result.best.value;
    if (is_new) result = std::move(next);
  }
  Found found{{result.best.actions}, std::move(result.contributions), {}};
  if (chosen && chosen->by_function.value < result.best.value) addChoices(job, *chosen, found);
  found.statistics = job.searched();
  for (search::Evaluation& other : result.others) {
    if (found.candidates.size() <= kNextBest) found.candidates.push_back(std::move(other.actions));
  }
  found.holds = [&options, most = result.seeds.front().value](const engine::State& replayed) -> Result<bool> {
    ORDO_TRY_ASSIGN(const double value, engine::measured(replayed, options.objective));
    return options.objective == env::kCompileMs || value <= most;
  };
  return found;
}

Result<Found> findByTime(engine::Engine& engine, const engine::Input& input, Job& job,
                         const TuneOptions& options) {
  // What compiling took, and the proof will, is of the budget too; but timing needs most of it.
  const double budget_s =
      std::clamp(job.secondsToSearch(), kTimed * options.budget.seconds, options.budget.seconds);
  const runtime::FasterOptions faster_options{.budget_s = budget_s,
                                              .elsewhere_s = options.budget.seconds - budget_s,
                                              .most_s = options.most_s,
                                              .learned = options.learned,
                                              .seed = options.seed,
                                              .jobs = options.jobs,
                                              .run = options.run,
                                              .run_dir = options.run_dir,
                                              .reward = options.reward,
                                              .profile = options.profile,
                                              .stop = options.stop,
                                              .on_phase = options.on_phase};
  ORDO_TRY_ASSIGN(runtime::Faster faster, runtime::findFaster(engine, input, job.spec(), job.baseline(),
                                                              job.limits(), faster_options));
  Found found{{std::move(faster.best)}, {}, faster.statistics};
  const bool won = found.candidates.front() != search::Sequence{job.baseline()};
  found.holds = [won, hash = faster.hash](const engine::State& replayed) -> Result<bool> {
    return !won || replayed.hash == hash;
  };
  found.figures = {std::move(faster.figure)};
  found.timing = std::move(faster.timing);
  found.rewards = faster.rewards;
  found.raced = std::move(faster.raced);
  found.notes = std::move(faster.notes);
  return found;
}

}  // namespace

double Tuned::improvement() const {
  const recipe::Figure& objective = recipe.figures.front();
  return objective.baseline == 0 ? 0 : (objective.baseline - objective.tuned) / objective.baseline;
}

Result<Tuned> tune(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                   const TuneOptions& asked) {
  TuneOptions options = asked;
  options.limits = engine::usualLimits(options.objective, std::move(options.limits));
  ORDO_TRY(engine::checkTunable(engine.info(), options.objective));
  ORDO_TRY(engine::checkLimits(engine.info(), options.objective, options.limits));
  if (env::isExperiment(options.objective) && !input.toolchain->runsHere(input)) {
    return fail(ErrorCode::kUnsupported,
                "the objective {} is for programs that run here, and those {} do not", options.objective,
                input.codegen.triple.empty() ? "of " + engine.info().name : "for " + input.codegen.triple);
  }
  ORDO_TRY_ASSIGN(Job job, Job::start(engine, input, space, options));
  ORDO_TRY_ASSIGN(Found found, env::isExperiment(options.objective)
                                   ? findByTime(engine, input, job, options)
                                   : findByMetric(engine, input, job, options));
  if (options.on_phase) options.on_phase("proving the result");
  return job.conclude(std::move(found));
}

}  // namespace ordo::tune
