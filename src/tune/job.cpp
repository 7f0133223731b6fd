// Three parts: prepare() reaches the states that everything is compared with, and measures the baseline to
// know how long that takes; search() runs one evaluator with the baseline and the untouched program as seeds;
// conclude() makes the result. There choose() replays the candidates, best first, and asks problemOf() and
// then the gate; the baseline comes last and is taken whatever the gate says. Once one was refused, what the
// search said of its winner (reasons, timing) no longer stands.
#include "tune/job.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/knowledge.h"
#include "engine/limits.h"
#include "engine/objective.h"
#include "engine/replay.h"
#include "engine/stock.h"
#include "env/metric.h"
#include "env/preference.h"
#include "frontend/opt.h"
#include "notation/action.h"
#include "search/catalog/guided.h"
#include "support/symbol.h"
#include "timing/trial.h"
#include "tune/gate.h"

namespace ordo::tune {
namespace {

// What stock opt, clang's code generator and the tests take, in times of what the baseline took.
constexpr double kProofs = 2;
// Of those times, a budget for many answers.
constexpr double kManyAnswers = 10;
constexpr double kFewAnswers = 4;
constexpr double kOptionsShare = 0.125;  // of the answers, for options of passes
constexpr double kNoticeable = 0.1;      // part of a budget
constexpr std::size_t kAlwaysTried = 2;  // proposals for kernels

// Calls `report` with the evaluator's statistics, and those `before`, until it goes.
class Reporter {
 public:
  Reporter(const search::Evaluator& evaluator, search::Statistics before,
           const std::function<void(const search::Statistics&)>& report) {
    if (!report) return;
    thread_ = std::jthread([&evaluator, before, &report, this](const std::stop_token& token) {
      std::unique_lock lock(mutex_);
      while (!wake_.wait_for(lock, token, std::chrono::milliseconds(100),
                             [&] { return token.stop_requested(); })) {
        search::Statistics all = before;
        report(all += evaluator.statistics());
      }
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

// The metrics of a recipe: the objective, if it can be measured, then what that consists of, what was asked
// for, what everybody asks for, and what has a limit.
std::vector<std::string> figureMetrics(const env::BackendInfo& backend, const std::string& objective,
                                       std::vector<std::string> asked,
                                       const std::vector<search::Limit>& limits) {
  std::vector<std::string> metrics;
  if (!env::isExperiment(objective)) metrics.push_back(objective);
  if (const auto preference = env::parsePreference(objective); preference && !preference->single()) {
    for (const env::Preference::Part& part : preference->parts) asked.push_back(part.metric);
  }
  for (const char* usual :
       {env::kTextBytes, env::kIrInstructions, env::kCodeBytes, "rodata_bytes", "unwind_bytes"}) {
    if (engine::measures(backend, usual)) asked.emplace_back(usual);
  }
  for (const search::Limit& limit : limits) asked.push_back(limit.metric);
  for (std::string& metric : asked) {
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(std::move(metric));
  }
  return metrics;
}

// What may help where LLVM crashes on a program at the baseline's own passes.
std::string_view remedyFor(std::string_view failure) {
  if (!failure.starts_with(env::name(env::StepStatus::kCrashed))) return "";
  return "\nclang crashes on it as well. If the program has functions of the C library of its own (calloc, "
         "memset, …), "
         "-fno-builtin behind '--' keeps LLVM from making calls of them inside of them; else give the "
         "function that is named "
         "__attribute__((optnone, noinline))";
}

Result<bool> isWithin(const std::vector<search::Limit>& limits, const engine::State& state) {
  for (const search::Limit& limit : limits) {
    ORDO_TRY_ASSIGN(const double amount, engine::measured(state, limit.metric));
    if (amount > limit.most) return false;
  }
  return true;
}

// A search and clang should agree on what the result's code is.
Status compareSizes(const engine::Toolchain& toolchain, Tuned& tuned) {
  ORDO_TRY_ASSIGN(const std::optional<double> text, toolchain.codeBytes(tuned.object));
  if (!text) return {};
  for (const recipe::Figure& figure : tuned.recipe.figures) {
    if (figure.metric == env::kTextBytes && figure.tuned != *text) {
      tuned.notes.push_back(fmt::format(
          "clang's object has {:.0f} bytes of text where the search measured {:.0f}", *text, figure.tuned));
    }
  }
  return {};
}

}  // namespace

Result<Job> Job::start(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                       const TuneOptions& options) {
  Job job(engine, input, space, options);
  ORDO_TRY(job.prepare());
  return job;
}

Status Job::prepare() {
  say("reading the program");
  spec_ = {input_.program.uri, input_.compiled.bytes, {}, input_.settings()};
  spec_.actions = engine::candidateActions(input_, space_, options_.allow_unsafe, baseline_);
  ORDO_TRY_ASSIGN(const engine::State given, engine::halfway(engine_, input_, spec_.program, {}));
  program_hash_ = given.hash;
  prepare_ = input_.toolchain->preparation(input_);
  if (!prepare_.empty()) {
    ORDO_TRY_ASSIGN(engine::State prepared, engine::halfway(engine_, input_, spec_.program, prepare_));
    spec_.program = std::move(prepared.bitcode);
  }
  say("making the baseline");
  const double begin_s = options_.clock->seconds();
  Result<engine::State> reached = engine::reach(engine_, input_, spec_.program, {spec_.actions[baseline_]});
  if (!reached && reached.error().code == ErrorCode::kCorrupt) return fail(std::move(reached).error());
  if (!reached)
    return fail(ErrorCode::kUnsupported, "the baseline itself fails on this program: {}{}",
                reached.error().message, remedyFor(reached.error().message));
  at_baseline_ = std::make_shared<const engine::State>(*std::move(reached));
  if (!env::isExperiment(options_.objective)) {
    say("measuring the baseline");
    // What it is worth the search will ask again; how long that takes is known only from here.
    ORDO_TRY(engine::measured(*at_baseline_, options_.objective));
  }
  baseline_s_ = options_.clock->seconds() - begin_s;
  ORDO_TRY_ASSIGN(limits_, engine::limitsFor(options_.limits, *at_baseline_));
  return {};
}

void Job::say(std::string_view phase) const {
  if (options_.on_phase) options_.on_phase(phase);
}

double Job::secondsLeft() const {
  return options_.budget.seconds - options_.spent_s - (options_.clock->seconds() - start_s_);
}

double Job::secondsToSearch() const { return secondsLeft() - kProofs * baseline_s_; }

// Whether what is good to know, but not needed, would take a noticeable part of a budget that is over.
bool Job::inAHurry() const {
  return secondsLeft() < baseline_s_ && baseline_s_ > kNoticeable * options_.budget.seconds;
}

Result<search::Sequence> Job::firstAnswer() const {
  ORDO_TRY_ASSIGN(const search::Knowledge knowledge,
                  engine::loadKnowledge({options_.learned.knowledge, ""}, engine_.backend(), spec_));
  return search::firstAnswer(knowledge, options_.objective, spec_.actions);
}

// How large a function may be to be inlined decides more about a whole program than any pass. The likely
// thresholds come first in a space, and together they take a part of the answers that there is time for.
std::vector<search::Sequence> Job::baselineBehindOptions() const {
  std::vector<search::Sequence> sequences;
  const double answers = std::min(secondsToSearch() / baseline_s_, options_.budget.evaluations);
  const double most = answers < kFewAnswers ? 0 : std::max(1.0, kOptionsShare * answers);
  for (env::ActionIndex action = 0; action < spec_.actions.size(); ++action) {
    if (static_cast<double>(sequences.size() + 1) > most) break;
    if (spec_.actions[action].kind == notation::kOption) sequences.push_back({action, baseline_});
  }
  return sequences;
}

Result<std::optional<search::Sequence>> Job::tryFirstAnswer() const {
  ORDO_TRY_ASSIGN(search::Sequence sequence, firstAnswer());
  if (sequence.empty()) return std::nullopt;
  say("trying the first answer");
  std::vector<env::Action> actions;
  for (const env::ActionIndex action : sequence) actions.push_back(spec_.actions[action]);
  const Result<engine::State> state = engine::reach(engine_, input_, spec_.program, actions);
  if (!state) return std::nullopt;  // a pass that fails is no error of ours
  ORDO_TRY_ASSIGN(const double value, engine::measured(*state, options_.objective));
  ORDO_TRY_ASSIGN(const double baseline, engine::measured(*at_baseline_, options_.objective));
  ORDO_TRY_ASSIGN(const bool within, isWithin(limits_, *state));
  return value < baseline && within ? std::optional(std::move(sequence)) : std::nullopt;
}

Result<search::SearchResult> Job::search(search::Objective objective, search::SearchOptions options,
                                         std::function<void(const search::Evaluation&)> on_answer) {
  if (!engine::measures(engine_.info(), objective.screen)) objective.screen.clear();
  search::EvaluatorOptions evaluator_options;
  evaluator_options.jobs = options_.jobs;
  evaluator_options.stop = options_.stop;
  evaluator_options.clock = options_.clock;
  if (std::exchange(told_of_, objective.metric) != objective.metric)
    told_ = std::numeric_limits<double>::infinity();
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(engine_.backend(), spec_, std::move(objective), evaluator_options));
  if (on_answer) evaluator->listen(std::move(on_answer));
  options.budget.seconds = std::min(options.budget.seconds, secondsToSearch());
  options.searcher = options_.searcher;
  options.max_length = options_.max_length;
  std::ranges::move(search::sequencesOf(options_.proposals, spec_.actions),
                    std::back_inserter(options.proposals));
  std::ranges::move(baselineBehindOptions(), std::back_inserter(options.proposals));
  options.seeds = {{baseline_}};
  // What the program is worth as it is tells searchers something, where there is time for more than that.
  if (secondsToSearch() >= kManyAnswers * baseline_s_) options.seeds.emplace_back();
  if (options_.objective == engine::kKernelTime) {
    // An untouched kernel takes many times as long as what is proposed for it, of which the best is tried
    // whatever the budget.
    const std::size_t count = std::min(kAlwaysTried, options.proposals.size());
    options.seeds.assign(options.proposals.begin(),
                         options.proposals.begin() + static_cast<std::ptrdiff_t>(count));
    options.seeds.insert(options.seeds.begin(), search::Sequence{baseline_});
  }
  ORDO_TRY_ASSIGN(options.knowledge, engine::loadKnowledge(options_.learned, engine_.backend(), spec_));
  options.first = search::firstAnswer(options.knowledge, options_.objective, spec_.actions);
  options.on_improvement = [this](const search::Evaluation& best) {
    if (best.actions == search::Sequence{baseline_}) baseline_value_ = best.value;
    tell(best);
  };
  options.on_phase = options_.on_phase;
  const Reporter reporter(*evaluator, searched_, options_.on_progress);
  ORDO_TRY_ASSIGN(search::SearchResult result, search::search(*evaluator, options));
  searched_ += result.statistics;
  return result;
}

void Job::tell(search::Evaluation best) {
  if (!options_.on_improvement || best.value >= told_) return;
  told_ = best.value;
  best.number += searched_.evaluations;
  best.seconds += searched_.seconds;
  std::vector<std::string> names;
  for (const env::ActionIndex action : best.actions) names.push_back(spec_.actions[action].name);
  options_.on_improvement(baseline_value_, best, names);
}

// Why what a candidate came to when it was replayed may not be the result, before the gate is asked, or "".
Result<std::string> Job::problemOf(const Found& found, const engine::State& state) const {
  ORDO_TRY_ASSIGN(const bool holds, found.holds(state));
  ORDO_TRY_ASSIGN(const bool within, isWithin(limits_, state));
  return holds && within ? "" : "it did not replay as measured";
}

// Tries all candidates, replayed once more from the program as given, and the baseline last, which is taken
// whatever the gate says. Tells `tuned`. The state of the result.
Result<std::shared_ptr<const engine::State>> Job::choose(const Found& found, Tuned& tuned) const {
  Gate gate(engine_, input_, *at_baseline_, options_.limits, inAHurry(), options_.ram_price);
  recipe::Recipe& recipe = tuned.recipe;
  std::vector<search::Sequence> candidates = found.candidates;
  if (candidates.back() != search::Sequence{baseline_}) candidates.push_back({baseline_});
  for (const search::Sequence& candidate : candidates) {
    const bool last = candidate == search::Sequence{baseline_};
    recipe.actions.clear();
    for (const env::ActionIndex action : candidate) recipe.actions.push_back(spec_.actions[action]);
    std::shared_ptr<const engine::State> state = at_baseline_;
    std::string why;
    if (!last) {
      // Nobody has made sure that it replays.
      Result<engine::State> reached = engine::reach(engine_, input_, spec_.program, recipe.actions);
      if (reached) {
        recipe.actions.insert(recipe.actions.end(), reached->finish.begin(), reached->finish.end());
        state = std::make_shared<const engine::State>(*std::move(reached));
        ORDO_TRY_ASSIGN(why, problemOf(found, *state));
      } else {
        why = reached.error().message;
      }
    }
    if (why.empty()) {
      recipe.result_hash = state->hash;
      ORDO_TRY_ASSIGN(Gated gated, gate.ask(*state, recipe));
      why = std::move(gated.refused);
      if (why.empty() || last) {
        std::ranges::copy(gate.flaky(), std::back_inserter(tuned.notes));
        tuned.object = std::move(gated.object);
        tuned.image = std::move(gated.image);
        tuned.baseline_image = gate.baselineImage();
        tuned.verified = gated.verified;
        tuned.tested = gated.tested;
        return state;
      }
    }
    Refused& refused = tuned.refused.emplace_back();
    for (const env::Action& action : recipe.actions) refused.actions.push_back(action.name);
    refused.why = std::move(why);
  }
  return fail(ErrorCode::kInternal, "the baseline is no candidate");
}

// Fills in how the result and the baselines compare.
Status Job::describe(const Found& found, const engine::State& best, Tuned& tuned) const {
  recipe::Recipe& recipe = tuned.recipe;
  const std::optional<engine::Toolchain::Reference> bare = input_.toolchain->reference(input_);
  std::optional<engine::State> at_bare;
  if (bare && inAHurry()) {
    tuned.notes.push_back(fmt::format("{} was not measured, for the budget is over", bare->name));
  } else if (bare) {
    say("measuring the result");
    if (Result<engine::State> reached = engine::reach(engine_, input_, input_.compiled.bytes, bare->actions))
      at_bare = *std::move(reached);
  }
  for (const std::string& metric : figureMetrics(engine_.info(), recipe.objective, found.metrics, limits_)) {
    recipe::Figure figure{.metric = metric};
    ORDO_TRY_ASSIGN(figure.baseline, engine::measured(*at_baseline_, metric));
    if (at_bare) {
      ORDO_TRY_ASSIGN(figure.bare, engine::measured(*at_bare, metric));
    }
    figure.tuned = figure.baseline;
    if (&best != at_baseline_.get()) {
      ORDO_TRY_ASSIGN(figure.tuned, engine::measured(best, metric));
    }
    recipe.figures.push_back(std::move(figure));
  }
  return {};
}

Status Job::compareSymbols(Tuned& tuned) const {
  if (tuned.image && tuned.baseline_image) {
    tuned.symbols = engine::changedSymbols(*tuned.baseline_image, *tuned.image);
    return {};
  }
  ORDO_TRY_ASSIGN(const std::string object, input_.toolchain->emit(input_, at_baseline_->bitcode, {}));
  ORDO_TRY_ASSIGN(const engine::Image before, engine::readImage(object));
  ORDO_TRY_ASSIGN(const engine::Image after, engine::readImage(tuned.object));
  tuned.symbols = engine::changedSymbols(before, after);
  return {};
}

Result<Tuned> Job::conclude(Found found) const {
  Tuned tuned;
  tuned.notes = input_.notes;
  tuned.statistics = found.statistics;
  tuned.rewards = found.rewards;
  tuned.raced = std::move(found.raced);
  std::ranges::move(found.notes, std::back_inserter(tuned.notes));
  recipe::Recipe& recipe = tuned.recipe;
  recipe.prepare = prepare_;
  recipe.backend = engine_.info().name;
  recipe.backend_version = engine_.info().version;
  ORDO_TRY_ASSIGN(const std::shared_ptr<const engine::State> best, choose(found, tuned));
  if (!tuned.refused.empty()) {
    found.contributions.clear();
    found.by_function.clear();
  }
  if (!tuned.refused.empty() && found.timing) {
    found.timing->verdict = timing::name(timing::Verdict::kVoid);
    found.timing->why = fmt::format("the winner was refused: {}", tuned.refused.front().why);
    found.figures.front().tuned = found.figures.front().baseline;
  }
  recipe.figures = std::move(found.figures);
  recipe.timing = std::move(found.timing);
  recipe.program = input_.program.name;
  recipe.source = input_.program.uri;
  recipe.language = input_.source.language;
  recipe.flags = input_.source.flags;
  recipe.program_hash = program_hash_;
  recipe.baseline = input_.toolchain->baselineName(input_);
  recipe.objective = options_.objective;
  recipe.limits = options_.limits;
  ORDO_TRY(describe(found, *best, tuned));
  for (const search::Contribution& part : found.contributions) {
    recipe.reasons.push_back({static_cast<std::int64_t>(part.index), part.delta});
  }
  for (const auto& [name, saved] : found.by_function) recipe.functions.push_back({shownSymbol(name), saved});
  recipe.target = engine_.info().target;
  recipe.settings = input_.settings();
  recipe.space = space_.name;
  recipe.space_hash = space_.hash;
  recipe.searcher = !recipe.timing                                   ? options_.searcher->name
                    : options_.reward == runtime::Reward::kImmediate ? "immediate"
                                                                     : "draft";
  recipe.seed = static_cast<std::int64_t>(options_.seed);
  recipe.jobs = options_.jobs;
  recipe.evaluations = static_cast<std::int64_t>(found.statistics.evaluations);
  recipe.seconds = found.statistics.seconds;
  ORDO_TRY_ASSIGN(recipe.stock,
                  input_.toolchain->commands(input_, engine::allActions(recipe), input_.program.name + ".o"));
  tuned.bitcode = best->bitcode;
  if (!tuned.object.empty()) ORDO_TRY(compareSizes(*input_.toolchain, tuned));
  if (!tuned.object.empty() && options_.symbols) {
    const Status compared = compareSymbols(tuned);
    if (!compared) tuned.notes.push_back("symbols are not compared: " + compared.error().message);
  }
  tuned.isolation = engine_.backend().stats();
  return tuned;
}

}  // namespace ordo::tune
