// replay() proves first that it is the recipe's program and that all of it can be done; then walk() goes
// through one session, an action at a time, and Critic::of() is asked before each. choicesOf() gives the
// actions that a search would have had, with the recipe's own texts in place of theirs and what is missing
// added at the end, so that the policy sees them as it would there. Words compares each state with the first.
// Clues of equal weight keep the order of the aspects, so that the same recipe reads the same each time.
#include "tune/retrace.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "engine/knowledge.h"
#include "engine/objective.h"
#include "engine/replay.h"
#include "env/preference.h"
#include "policy/attribution.h"
#include "policy/choose.h"
#include "policy/view.h"
#include "search/driver/driver.h"
#include "spaces/manifest.h"
#include "support/files.h"
#include "support/text.h"

namespace ordo::tune {
namespace {

constexpr std::size_t kClues = 10;
constexpr const char* kInstructionMetric = "ir_instructions";

// The recipe's actions among those that a search could have chosen from.
struct Choices {
  std::vector<env::Action> actions;
  std::vector<env::ActionIndex> taken;  // by the recipe
};

Choices choicesOf(const engine::Input& input, const spaces::Space& space, const recipe::Recipe& recipe) {
  Choices choices;
  env::ActionIndex baseline = 0;
  choices.actions = engine::candidateActions(input, space, false, baseline);
  for (const env::Action& action : recipe.actions) {
    auto found = std::ranges::find(choices.actions, action.name, &env::Action::name);
    if (found == choices.actions.end())
      found = choices.actions.insert(found, action);
    else
      *found = action;  // as the recipe recorded it
    choices.taken.push_back(static_cast<env::ActionIndex>(found - choices.actions.begin()));
  }
  return choices;
}

// The next state, with what is asked for.
Result<env::StepReport> walk(env::Session& session, std::vector<env::ActionIndex> actions,
                             std::vector<std::string> metrics, std::vector<std::string> observations) {
  env::StepRequest request;
  request.actions = std::move(actions);
  request.metrics = std::move(metrics);
  request.observations = std::move(observations);
  // On the way a program need not be one that can be linked: replay() has verified what becomes of it.
  request.verify = false;
  ORDO_TRY_ASSIGN(env::StepReport report, session.step(request));
  if (!report.outcome.ok()) {
    return fail(ErrorCode::kInternal, "the recipe does not replay: {}: {}", env::name(report.outcome.status),
                report.outcome.detail);
  }
  return report;
}

Result<double> valueOf(const env::Measurement& measurement, std::string_view metric) {
  if (measurement.ok()) return measurement.value;
  // A program that a compiler cannot measure is no failure of ours.
  return fail(ErrorCode::kUnsupported, "measuring {}: {}: {}", metric, env::name(measurement.status),
              measurement.detail);
}

// The objective's, of the program as given.
Result<double> startValue(env::Session& session, const std::string& objective) {
  ORDO_TRY_ASSIGN(const env::Preference preference, env::parsePreference(objective));
  ORDO_TRY_ASSIGN(const env::Measurement start, preference.measure(session, /*estimate=*/true));
  return valueOf(start, objective);
}

// A session where the recipe's actions begin: at the program as given, or as `prepare` left it.
Result<std::unique_ptr<env::Session>> openFor(engine::Engine& engine, const engine::Input& input,
                                              const recipe::Recipe& recipe,
                                              std::vector<env::Action> actions) {
  const auto open = [&](std::string program, std::vector<env::Action> choice) {
    return engine.backend().open(
        {input.program.uri, std::move(program), std::move(choice), input.settings()});
  };
  if (recipe.prepare.empty()) return open(input.compiled.bytes, std::move(actions));
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> given, open(input.compiled.bytes, recipe.prepare));
  std::vector<env::ActionIndex> all(recipe.prepare.size());
  std::iota(all.begin(), all.end(), env::ActionIndex{0});
  ORDO_TRY_ASSIGN(const env::StepReport prepared, walk(*given, std::move(all), {}, {"bitcode"}));
  return open(std::string(prepared.observations.front().text()), std::move(actions));
}

// Says what a clue is about.
class Words {
 public:
  // `start_value` is the objective's, of the program as given.
  Words(const recipe::Recipe& recipe, double start_value) : recipe_(recipe), start_value_(start_value) {}

  // The first state has to be the program as given. Copies what it needs, whatever its alignment.
  void see(std::span<const env::Observation> state, double instructions) {
    const std::span<const std::byte> counts = state.front().bytes;
    counts_.resize(counts.size() / sizeof counts_.front());
    std::memcpy(counts_.data(), counts.data(), counts.size());
    if (start_.empty()) start_ = counts_;
    instructions_ = instructions;
  }

  // `history` are the policy's actions so far.
  std::string of(const policy::Aspect& aspect, const policy::PolicyInfo& info,
                 std::span<const std::uint32_t> history) const {
    const recipe::Figure& objective = recipe_.figures.front();
    if (aspect.group == "autophase") return ofCount(*aspect.element);
    if (aspect.group == "history") return ofAction(*aspect.element, info, history);
    if (aspect.group == "ir2vec") return "the kind of code (its embedding)";
    if (aspect.group == "objective") return fmt::format("the objective {}", recipe_.objective);
    if (aspect.group == "baseline")
      return fmt::format("what {} reaches ({})", recipe_.baseline, change(start_value_, objective.baseline));
    if (aspect.group == "value")  // which is told of instructions only
      return fmt::format("now {} against {}", change(objective.baseline, instructions_), recipe_.baseline);
    if (aspect.group == "steps")
      return fmt::format("{} pass{} so far", history.size(), history.size() == 1 ? "" : "es");
    return aspect.group;
  }

 private:
  std::string ofCount(std::size_t i) const {
    const policy::Count& count = policy::kCounts[i];
    const auto number = [](std::int64_t value) { return grouped(static_cast<double>(value)); };
    const std::string was = counts_[i] == start_[i] ? "" : fmt::format("was {}, ", number(start_[i]));
    return fmt::format("{}: {} ({}usual {})", count.words, number(counts_[i]), was, number(count.usual));
  }

  static std::string ofAction(std::size_t action, const policy::PolicyInfo& info,
                              std::span<const std::uint32_t> history) {
    const auto times = std::ranges::count(history, action);
    const std::string& name = info.actions[action];
    if (times > 1) return fmt::format("{} ran {} times", name, times);
    if (!history.empty() && history.back() == action) return fmt::format("{} just ran", name);
    return fmt::format("{} ran", name);
  }

  const recipe::Recipe& recipe_;
  const double start_value_;
  std::vector<std::int64_t> start_, counts_;  // autophase
  double instructions_ = 0;
};

// A policy that is asked about one recipe.
class Critic {
 public:
  Critic(std::shared_ptr<const policy::Policy> policy, policy::View view, const recipe::Recipe& recipe,
         std::size_t actions, double start_value)
      : attribution_(std::move(policy)),
        view_(std::move(view)),
        legal_(view_.binding().legal(std::vector<std::uint8_t>(actions, 1))),
        words_(recipe, start_value) {}

  const std::vector<std::string>& observations() const { return view_.observations(); }

  // What it makes of the next of `actions` where the first `done` of them led to `state`; of stopping, if
  // they are all. Nothing if it does not know it, or they are more than it was made for.
  std::optional<Opinion> of(std::span<const env::ActionIndex> actions, std::size_t done,
                            std::span<const env::Observation> state, double instructions) {
    const std::span<const env::ActionIndex> so_far = actions.first(done);
    const policy::PolicyInfo& info = view_.policy().info();
    words_.see(state, instructions);
    std::vector<float> features(view_.policy().encoder().width());
    if (!view_.see(so_far, state, false, features)) return std::nullopt;
    std::size_t choice = legal_.size() - 1;
    if (done < actions.size()) choice = view_.binding().history(actions.subspan(done, 1)).front();
    if (choice == policy::kOtherAction) return std::nullopt;
    policy::Network::Scratch scratch;
    const std::vector<double> chances =
        policy::probabilities(view_.policy().evaluate(features, scratch).logits, legal_, 1);

    Opinion opinion;
    opinion.probability = chances[choice];
    opinion.of = static_cast<std::size_t>(std::ranges::count_if(legal_, [](auto byte) { return byte != 0; }));
    opinion.rank = 1 + static_cast<std::size_t>(std::ranges::count_if(
                           chances, [&](double chance) { return chance > chances[choice]; }));
    const std::size_t first =
        opinion.rank == 1 ? choice
                          : static_cast<std::size_t>(std::ranges::max_element(chances) - chances.begin());
    opinion.first = info.actions[first];
    opinion.first_probability = chances[first];

    const std::vector<double> weights = attribution_.weights(features, legal_, choice);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      // Weights that are huge give none; of damaged files they may be.
      if (std::isfinite(weights[i]) && weights[i] != 0) order.push_back(i);
    }
    // Not stable_sort: libstdc++ 12 calls a deprecated function there, an error with clang.
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return std::pair(-std::abs(weights[a]), a) < std::pair(-std::abs(weights[b]), b);
    });
    order.resize(std::min(order.size(), kClues));
    const std::vector<std::uint32_t> history = view_.binding().history(so_far);
    for (const std::size_t i : order) {
      const policy::Aspect& aspect = attribution_.aspects()[i];
      opinion.clues.push_back({name(aspect, info), words_.of(aspect, info, history), weights[i]});
    }
    return opinion;
  }

 private:
  static std::string name(const policy::Aspect& aspect, const policy::PolicyInfo& info) {
    if (!aspect.element) return aspect.group;
    return fmt::format("{}.{}", aspect.group,
                       aspect.group == "history" ? std::string_view(info.actions[*aspect.element])
                                                 : policy::kCounts[*aspect.element].name);
  }

  policy::Attribution attribution_;
  policy::View view_;
  const std::vector<std::uint8_t> legal_;  // by logit
  Words words_;
};

Result<Critic> criticOf(const std::string& file, const engine::Engine& engine, const spaces::Space& space,
                        const recipe::Recipe& recipe, std::span<const env::Action> actions,
                        double start_value) {
  ORDO_TRY_ASSIGN(const std::shared_ptr<const policy::Policy> policy,
                  engine::loadPolicy(file, engine.info(), space.actions));
  policy::Task task;
  task.objective = recipe.objective;
  task.start_value = start_value;
  task.baseline_value = recipe.figures.front().baseline;
  task.max_steps = static_cast<std::uint32_t>(search::SearchOptions{}.max_length);
  ORDO_TRY_ASSIGN(policy::View view, policy::View::create(policy, actions, std::move(task)));
  return Critic(policy, std::move(view), recipe, actions.size(), start_value);
}

}  // namespace

Result<Retraced> retrace(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                         const recipe::Recipe& recipe, const std::string& policy) {
  // That it is the recipe's program, and that all of it can be done.
  ORDO_TRY(engine::replay(engine, input, recipe));
  const Choices choices = choicesOf(input, space, recipe);
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session,
                  openFor(engine, input, recipe, choices.actions));

  Retraced retraced;
  std::optional<Critic> critic;
  // A policy is told what its objective is now, and nobody knows that of run time on the way.
  if (!policy.empty() && recipe.objective != recipe::kRuntime) {
    ORDO_TRY_ASSIGN(const double value, startValue(*session, recipe.objective));
    Result<Critic> made = criticOf(policy, engine, space, recipe, choices.actions, value);
    if (made) {
      critic.emplace(*std::move(made));
      ORDO_TRY_ASSIGN(const std::string bytes, readFile(policy));
      retraced.policy = std::filesystem::path(policy).filename().string();
      retraced.policy_hash = hashBytes(bytes);
    } else {
      retraced.no_policy = made.error().message;
      retraced.no_policy_code = made.error().code;
    }
  }

  const std::vector<std::string> observations = critic ? critic->observations() : std::vector<std::string>();
  std::span<const env::ActionIndex> taken = choices.taken;
  for (std::size_t i = 0; i <= taken.size(); ++i) {
    std::vector<env::ActionIndex> step;
    if (i > 0) step.push_back(taken[i - 1]);
    ORDO_TRY_ASSIGN(const env::StepReport report,
                    walk(*session, std::move(step), {kInstructionMetric}, observations));
    Retraced::State& state = retraced.states.emplace_back();
    ORDO_TRY_ASSIGN(state.instructions, valueOf(report.measurements.front(), kInstructionMetric));
    if (!critic) continue;
    state.opinion = critic->of(taken, i, report.observations, state.instructions);
  }
  return retraced;
}

Result<Retraced> retrace(engine::Engine& engine, const engine::Input& input, const recipe::Recipe& recipe,
                         const std::string& policy) {
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine.info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), recipe.space, manifest));
  return retrace(engine, input, space, recipe, policy);
}

std::string oddsFactor(double log_odds) {
  const double factor = std::exp(log_odds);
  if (factor >= 9.95) return fmt::format("x{}", grouped(factor));
  return factor >= 0.995 ? fmt::format("x{:.1f}", factor) : fmt::format("x{:.2g}", factor);
}

}  // namespace ordo::tune
