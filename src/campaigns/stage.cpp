// Threads of the team take the next program from a counter (forEach()); each opens its site when it first
// needs one and keeps it. playGroup() has one evaluator play all episodes of an exercise as rollouts, which
// ask Player. What a choice saved is known only in the state after it, so arrive() credits it there, and once
// more at the end of a rollout. Each episode has a random stream of its own, so that the order in which they
// are played makes no difference. An episode is worth the least of its last value and of those known on its
// way.
#include "campaigns/stage.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "env/metric.h"
#include "policy/choose.h"
#include "policy/view.h"
#include "search/evaluation/evaluator.h"
#include "search/knowledge/knowledge.h"
#include "support/rng.h"

namespace ordo::campaigns {
namespace {

using env::ActionIndex;

constexpr const char* kBaseline = "clang-Oz";

struct Played {
  policy::Trajectory episode;
  search::Sequence opening;                                // before the policy chooses
  std::size_t opened = 0;                                  // actions of the opening that are behind
  double instructions = 0;                                 // of the last state
  double least = std::numeric_limits<double>::infinity();  // of the values known on the way
};

// What an episode begins with; a proposal of actions that are not there with nothing.
search::Sequence openingOf(const Exercise& exercise, std::size_t episode, const study::Subject& subject) {
  if (episode < exercise.openings.size() && !exercise.openings[episode].empty()) {
    auto known = search::sequencesOf(std::span(&exercise.openings[episode], 1), subject.spec.actions);
    return known.empty() ? search::Sequence{} : std::move(known.front());
  }
  auto coreset = subject.knowledge.coreset(exercise.objective);
  return exercise.only && !coreset.empty() ? std::move(coreset.front()) : search::Sequence{};
}

// One episode after the other, as one policy chooses.
class Player {
 public:
  Player(policy::View& view, const Exercise& exercise, std::size_t actions, std::size_t max_actions,
         double baseline_instructions)
      : view_(view),
        exercise_(exercise),
        max_actions_(max_actions),
        baseline_instructions_(baseline_instructions),
        legal_(actions, 1) {}

  std::optional<ActionIndex> choose(const search::Sequence& so_far, const search::RolloutState& state,
                                    Rng& rng, Played& played) {
    policy::Trajectory& episode = played.episode;
    arrive(state, played);
    const auto value = policy::knownValue(exercise_.objective, state.observations);
    if (value) played.least = std::min(played.least, *value);
    policy::TrajectoryStep step;
    step.features.resize(view_.policy().encoder().width());
    if (!view_.see(so_far, state.observations, exercise_.only, step.features)) return std::nullopt;
    while (played.opened < played.opening.size()) {
      const ActionIndex next = played.opening[played.opened++];
      if (std::ranges::find(state.dead, next) == state.dead.end()) return next;
    }
    // The evaluator ends those with the longest opening.
    if (so_far.size() >= played.opening.size() + max_actions_) return std::nullopt;
    const policy::Network::Output output = view_.policy().evaluate(step.features, scratch_);
    std::vector<std::uint8_t> legal = legal_;
    for (const ActionIndex action : state.dead) legal[action] = 0;
    legal = view_.binding().legal(legal);
    if (value && exercise_.only && so_far.size() < played.opening.size() + policy::kOnlySteps)
      legal.back() = 0;
    for (std::uint32_t i = 0; i < legal.size(); ++i) {
      if (legal[i] == 0) step.masked.push_back(i);
    }
    const auto choice = policy::sampledChoice(output.logits, legal, exercise_.temperature, rng);
    if (!choice) return std::nullopt;
    const double likelihood = policy::probabilities(
        output.logits, legal, exercise_.temperature > 0 ? exercise_.temperature : 1)[*choice];
    step.choice = static_cast<std::uint32_t>(*choice);
    step.log_probability = static_cast<float>(std::log(likelihood));
    episode.steps.push_back(std::move(step));
    if (*choice + 1 == output.logits.size()) return std::nullopt;
    return view_.binding().actions()[*choice];
  }

  // Credits the latest choice with what it has led to. Once more in the same state makes no difference.
  void arrive(const search::RolloutState& state, Played& played) const {
    const double instructions = static_cast<double>(policy::totalInstructions(state.observations.front()));
    if (!played.episode.steps.empty()) {
      played.episode.steps.back().saved_instructions +=
          static_cast<float>((played.instructions - instructions) / baseline_instructions_);
    }
    played.instructions = instructions;
  }

 private:
  policy::View& view_;
  const Exercise& exercise_;
  const std::size_t max_actions_;  // behind the opening
  const double baseline_instructions_;
  const std::vector<std::uint8_t> legal_;
  policy::Network::Scratch scratch_;
};

}  // namespace

Result<const study::Subject*> Stage::subject(const std::string& uri) {
  Shelf* shelf = nullptr;
  {
    const std::lock_guard lock(mutex_);
    shelf = &shelves_[uri];
  }
  const std::lock_guard lock(shelf->mutex);
  if (!shelf->subject) shelf->subject = host_.prepare(uri);
  if (!*shelf->subject) return fail((*shelf->subject).error());
  return &**shelf->subject;
}

Status Stage::forEach(const std::vector<std::string>& uris, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::optional<Error> error;
  team_.run([&](unsigned member) {
    const auto all = [&]() -> Status {
      std::unique_ptr<study::Site>& site = sites_[member];
      if (site == nullptr) {
        ORDO_TRY_ASSIGN(site, host_.openSite());
      }
      for (std::size_t i = next++; i < uris.size() && !stopped(); i = next++)
        ORDO_TRY(work(i, *site, subject(uris[i])));
      return {};
    };
    if (Status done = all(); !done) {
      next = uris.size();
      const std::lock_guard lock(mutex_);
      if (!error) error = std::move(done).error();
    }
  });
  if (error) return fail(*std::move(error));
  if (stopped()) return fail(ErrorCode::kDeadlineExceeded, "stopped");
  return {};
}

Result<std::vector<std::optional<double>>> Stage::instructions(const std::vector<std::string>& uris) {
  std::vector<std::optional<double>> all(uris.size());
  ORDO_TRY(forEach(uris, [&](std::size_t i, study::Site&, Result<const study::Subject*> subject) -> Status {
    if (subject) all[i] = study::valueOf((*subject)->program, "initial", env::kIrInstructions);
    return {};
  }));
  return all;
}

Status Stage::playGroup(study::Site& site, const study::Subject& subject,
                        const std::shared_ptr<const policy::Policy>& policy, const Exercise& exercise,
                        policy::TrajectoryGroup& group) {
  const auto valueOf = [&](const char* baseline, const std::string& metric) {
    return study::valueOf(subject.program, baseline, metric);
  };
  const std::optional<double> baseline = valueOf(kBaseline, exercise.objective);
  const std::optional<double> instructions = valueOf(kBaseline, env::kIrInstructions);
  if (!baseline || *baseline <= 0 || !instructions || *instructions <= 0)
    return fail(ErrorCode::kUnsupported, "{} under {} cannot be measured", exercise.objective, kBaseline);
  ORDO_TRY_ASSIGN(policy::View view,
                  policy::View::create(policy, subject.spec.actions,
                                       {exercise.objective, valueOf("initial", exercise.objective), baseline,
                                        static_cast<std::uint32_t>(options_.max_length)}));
  search::EvaluatorOptions evaluation;
  evaluation.stop = options_.stop;
  ORDO_TRY_ASSIGN(
      const std::unique_ptr<search::Evaluator> evaluator,
      search::Evaluator::open(site.backend(), subject.spec, {exercise.objective, ""}, evaluation));

  Player player(view, exercise, subject.spec.actions.size(), options_.max_actions, *instructions);
  std::vector<Played> played(exercise.episodes);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < played.size(); ++i) {
    played[i].opening = openingOf(exercise, i, subject);
    longest = std::max(longest, played[i].opening.size());
  }
  std::vector<search::Rollout> rollouts;
  for (std::size_t i = 0; i < played.size(); ++i) {
    rollouts.push_back(
        {{},
         [&player, &one = played[i], rng = Rng(exercise.seed).stream(i)](
             const search::Sequence& so_far, const search::RolloutState& state) mutable {
           return player.choose(so_far, state, rng, one);
         },
         [&player, &one = played[i]](const search::Sequence&, const search::RolloutState& state) {
           player.arrive(state, one);
         }});
  }
  const std::vector<search::Evaluation> results =
      evaluator->evaluate(std::move(rollouts), view.observations(), options_.max_actions + longest);
  ORDO_TRY(evaluator->status());
  for (std::size_t i = 0; i < played.size(); ++i) {
    policy::Trajectory& episode = played[i].episode;
    episode.failed = !results[i].measured();
    const double value = std::min(results[i].value, played[i].least);
    episode.gain = episode.failed ? -1 : std::max(1 - value / *baseline, -1.0);
    group.episodes.push_back(std::move(episode));
  }
  return {};
}

Result<std::vector<policy::TrajectoryGroup>> Stage::play(const std::shared_ptr<const policy::Policy>& policy,
                                                         const std::vector<Exercise>& exercises) {
  std::vector<policy::TrajectoryGroup> groups(exercises.size());
  std::vector<std::string> uris;
  for (const Exercise& exercise : exercises) uris.push_back(exercise.uri);
  ORDO_TRY(
      forEach(uris, [&](std::size_t i, study::Site& site, Result<const study::Subject*> subject) -> Status {
        groups[i].uri = exercises[i].uri;
        groups[i].objective = exercises[i].objective;
        groups[i].only = exercises[i].only;
        Status played = subject ? playGroup(site, **subject, policy, exercises[i], groups[i])
                                : Status(fail(std::move(subject).error()));
        if (played) return {};
        const ErrorCode code = played.error().code;
        if (code == ErrorCode::kUnavailable || code == ErrorCode::kInternal || stopped()) return played;
        groups[i].problem = std::move(played).error().message;
        return {};
      }));
  return groups;
}

}  // namespace ordo::campaigns
