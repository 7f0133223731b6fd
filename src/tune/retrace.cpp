// replay() proves first that it is the recipe's program and that all of it can be done; then walk() goes
// through one session, an action at a time, and the critic is asked before each. choicesOf() gives the
// actions that a search would have had, with the recipe's own texts in place of theirs and what is missing
// added at the end, so that the policy sees them as it would there.
#include "tune/retrace.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "engine/knowledge.h"
#include "engine/objective.h"
#include "engine/replay.h"
#include "env/metric.h"
#include "env/preference.h"
#include "spaces/manifest.h"
#include "support/files.h"
#include "support/text.h"

namespace ordo::tune {
namespace {

constexpr const char* kInstructionMetric = env::kIrInstructions;

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
  if (!policy.empty() && !env::isExperiment(recipe.objective)) {
    ORDO_TRY_ASSIGN(const double value, startValue(*session, recipe.objective));
    Result<Critic> made =
        Critic::create(policy, engine.info(), space.actions, choices.actions,
                       {recipe.objective, recipe.baseline, value, recipe.figures.front().baseline});
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
    if (!critic || !critic->consider(taken.first(i), report.observations, state.instructions)) continue;
    const std::optional<std::size_t> choice = i < taken.size() ? critic->choiceOf(taken[i]) : critic->stop();
    if (choice) state.opinion = critic->opinion(*choice);
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
