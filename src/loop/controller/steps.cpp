// What is done in each state, and when it is left. Each step may be done again by a controller that comes
// after a crash.
#include <cmath>

#include "loop/controller/controller.h"

namespace ordo::loop {
namespace {

// A penalty is known as well as a good measurement, so that one crash outweighs no number of good weeks.
constexpr double kPenaltyError = 0.1;
constexpr double kIdenticalError = 0.001;

}  // namespace

Status Controller::step(Experiment& experiment, double now_s) {
  switch (experiment.state) {
    case State::kProposed:
      return build(experiment, now_s);
    case State::kBuilt:
      return verify(experiment, now_s);
    case State::kVerified:
      return stage(experiment, now_s);
    case State::kStaged:
      return deploy(experiment, now_s);
    case State::kWarmup:
    case State::kRamp:
      return ramp(experiment, now_s);
    case State::kObserve:
      return observe(experiment, now_s);
    case State::kPromoting:
      return promote(experiment, now_s);
    case State::kRollingBack:
      return rollBack(experiment, now_s);
    case State::kEnded:
      return reward(experiment, now_s);
    case State::kRewarded:
      return advance(experiment, State::kClosed, "", now_s);
    case State::kClosed:
      return {};
  }
  return {};
}

Status Controller::propose(double now_s) {
  const Result<Shares> real = world_.traffic.get();
  if ((!real || real->canary > 0 || share_ != 0.0) && !steer({})) return {};
  ORDO_TRY_ASSIGN(const Wish wish, store_.wish());
  idle_ = options_.most_experiments > 0 && begun_ >= options_.most_experiments;
  if (idle_ || wish == Wish::kPause || allowance_.mode == Mode::kExploit) return {};
  if (wish == Wish::kAbort) {  // there is nothing to abort
    ORDO_TRY(store_.grant(wish));
    return {};
  }
  ORDO_TRY_ASSIGN(const std::string production, store_.production());
  ORDO_TRY_ASSIGN(const std::optional<Choice> choice,
                  world_.chooser.choose(production, allowance_.temperature, now_s, rng_));
  idle_ = !choice;
  if (!choice) return {};
  if (choice->not_before_s > now_s) {
    if (rests_until_s_ != choice->not_before_s)
      world_.listener.event(fmt::format(
          "nothing is tried for {:.0f} s: all candidates came to nothing lately; 'ordo loop forgive {}' "
          "lets it be tried now",
          choice->not_before_s - now_s, choice->candidate));
    rests_until_s_ = choice->not_before_s;
    return {};
  }
  ORDO_TRY_ASSIGN(const std::vector<Experiment> all, store_.experiments());
  const Experiment experiment{
      .id = hashBytes(fmt::format("{} {} {}", all.size(), choice->candidate, now_s)).hex().substr(0, 12),
      .candidate = choice->candidate,
      .baseline = production,
      .probability = choice->probability,
      .policy = choice->policy,
      .toolchain = options_.toolchain,
      .created_s = now_s,
      .changed_s = now_s};
  ORDO_TRY(store_.add(holder_, experiment, choice->among));
  ++begun_;
  world_.listener.step(experiment);
  return {};
}

Result<Built> Controller::built(const std::string& candidate, double& now_s) {
  return patiently(now_s, [&]() -> Result<Built> {
    ORDO_TRY_ASSIGN(Built built, world_.builder.build(candidate));
    if (!built.failure.empty())
      return fail(ErrorCode::kUnavailable, "{} cannot be built: {}",
                  candidate.empty() ? "production" : candidate, built.failure);
    return built;
  });
}

Status Controller::build(Experiment& experiment, double now_s) {
  const Result<Built> first = built(experiment.candidate, now_s);
  if (broken_off_) return {};
  if (!first) return again(experiment, first.error().message, now_s);
  experiment.artifact = first->artifact;
  experiment.hash = first->hash;
  return advance(experiment, State::kBuilt, "", now_s);
}

Status Controller::verify(Experiment& experiment, double now_s) {
  const Result<Built> second = built(experiment.candidate, now_s);
  if (broken_off_) return {};
  if (!second) return again(experiment, second.error().message, now_s);
  if (second->hash != experiment.hash) {
    experiment.hash.clear();  // it has none
    return conclude(experiment, Outcome::kRejected, "two builds of it are not the same", now_s);
  }
  const Result<Built> production = built(experiment.baseline, now_s);
  if (broken_off_) return {};
  if (!production) return again(experiment, production.error().message, now_s);
  if (production->hash == experiment.hash)
    return conclude(experiment, Outcome::kIdentical, "it is what production is", now_s);
  const Result<std::string> failure =
      patiently(now_s, [&] { return world_.stage.failureOf(production->artifact, experiment.artifact); });
  if (broken_off_) return {};
  if (!failure) return again(experiment, "the stage: " + failure.error().message, now_s);
  if (!failure->empty()) return doubt(experiment, *failure, now_s);
  return advance(experiment, State::kVerified, "it answers as production does", now_s);
}

Status Controller::stage(Experiment& experiment, double now_s) {
  const Result<Built> production = built(experiment.baseline, now_s);
  if (broken_off_) return {};
  if (!production) return again(experiment, production.error().message, now_s);
  const Result<Staged> staged =
      patiently(now_s, [&] { return world_.stage.measure(production->artifact, experiment.artifact); });
  if (broken_off_) return {};
  if (!staged) return again(experiment, "the stage: " + staged.error().message, now_s);
  if (!staged->failure.empty()) return doubt(experiment, staged->failure, now_s);
  experiment.staged = staged->value;
  experiment.staged_error = staged->error;
  if (!staged->value)
    return advance(experiment, State::kStaged, "it was not measured on the stage: " + staged->unmeasured,
                   now_s);
  const std::string speed = fmt::format("{:+.2f} % on the stage", 100 * std::expm1(*staged->value));
  if (*staged->value + 2 * staged->error.value_or(0) < -options_.most_stage_loss)
    return conclude(experiment, Outcome::kRejected, speed, now_s);
  return advance(experiment, State::kStaged, speed, now_s);
}

Status Controller::deploy(Experiment& experiment, double now_s) {
  if (allowance_.mode == Mode::kExploit) {
    if (now_s - experiment.changed_s < options_.wait_s) return {};
    return conclude(experiment, Outcome::kAborted, "no budget came: " + allowance_.why, now_s);
  }
  ORDO_TRY_ASSIGN(const std::string production, store_.productionArtifact());
  for (const Pool pool : {Pool::kControl, Pool::kCanary}) {
    const std::string& artifact = pool == Pool::kControl ? production : experiment.artifact;
    const Status deployed = patiently(now_s, [&] { return world_.pools.deploy(pool, artifact); });
    if (broken_off_) return {};
    if (deployed) continue;
    // Nobody was harmed: it has had no request. Whether it is the candidate's doing or the deploy's is not
    // known.
    const std::string why = fmt::format("{} was not deployed: {}", name(pool), deployed.error().message);
    if (++tries_ < kMostTries) {
      world_.listener.event(why);
      return {};
    }
    return withdraw(experiment, Outcome::kVoid, why, now_s);
  }
  guard_ = Guard(options_.guard);
  watch_ = Watch(now_);
  news_.wait(now_s);
  came_up_ = false;
  rung_ = 0;
  return advance(experiment, State::kWarmup, "", now_s);
}

Status Controller::ramp(Experiment& experiment, double now_s) {
  if (experiment.state == State::kWarmup) {
    if (now_s - experiment.changed_s < options_.warmup_s || !came_up_) return {};
    rung_since_s_ = now_s;
    return advance(experiment, State::kRamp, "", now_s);
  }
  // Who is not seen gets no more.
  if (now_s - rung_since_s_ < options_.ramp_hold_s || news_.missed(now_s, options_.tick_s) > 1) return {};
  rung_since_s_ = now_s;
  if (rung_ + 1 < options_.ramp.size()) {
    ++rung_;
    return {};
  }
  return advance(experiment, State::kObserve, "", now_s);
}

Status Controller::observe(Experiment& experiment, double now_s) {
  if (!observing_) {
    observing_ = true;
    ORDO_TRY_ASSIGN(windows_, store_.windows(experiment.id));
    observer_.begin(now_, now_s, shareOf(experiment));
    return {};
  }
  if (now_s - observer_.beganAt() < options_.window_s) return {};
  windows_.push_back(observer_.end(now_, now_s));
  ORDO_TRY(store_.addWindow(holder_, experiment.id, windows_.back()));
  observer_.begin(now_, now_s, shareOf(experiment));
  so_far_ = computeReward(windows_, options_.reward);
  const Reward reward = *so_far_;
  switch (reward.verdict) {
    case Verdict::kPending:
      return {};
    case Verdict::kPromote:
      return advance(experiment, State::kPromoting, reward.why, now_s);
    case Verdict::kReject:
      return withdraw(experiment, Outcome::kRejected, reward.why, now_s);
    case Verdict::kInconclusive:
      return withdraw(experiment, Outcome::kInconclusive, reward.why, now_s);
    case Verdict::kVoid:
      return withdraw(experiment, Outcome::kVoid, reward.why, now_s);
  }
  return {};
}

Status Controller::promote(Experiment& experiment, double now_s) {
  const auto deploy = [&](const std::string& artifact) {
    return patiently(now_s, [&] { return world_.pools.deploy(Pool::kProduction, artifact); });
  };
  if (const Status deployed = deploy(experiment.artifact); !deployed) {
    world_.listener.alert("production did not take the new program: " + deployed.error().message);
    if (++tries_ < kMostTries) return {};
    ORDO_TRY_ASSIGN(const std::string before, store_.productionArtifact());
    if (const Status restored = deploy(before); !restored)
      world_.listener.alert("production did not take its program back: " + restored.error().message);
    return withdraw(experiment, Outcome::kAborted, deployed.error().message, now_s);
  }
  ORDO_TRY(store_.setProduction(holder_, experiment.candidate, experiment.artifact));
  for (const Pool pool : {Pool::kCanary, Pool::kControl}) {
    if (const Status done = stopped(pool, now_s); !done)
      world_.listener.alert(fmt::format("{} does not stop: {}", name(pool), done.error().message));
  }
  return conclude(experiment, Outcome::kPromoted, experiment.cause, now_s);
}

Status Controller::rollBack(Experiment& experiment, double now_s) {
  // Not before the balancer says that the canary has no traffic, or has given up on it.
  if (share_ != 0.0 && ++tries_ < kMostTries) return {};
  Status done = stopped(Pool::kCanary, now_s);
  if (done) done = stopped(Pool::kControl, now_s);
  if (!done) {
    world_.listener.alert("a pool does not stop: " + done.error().message);
    if (++tries_ < kMostTries) return {};
    return conclude(experiment, Outcome::kAborted, experiment.cause + "; and it did not stop", now_s);
  }
  return conclude(experiment, experiment.outcome.value_or(Outcome::kAborted), experiment.cause, now_s);
}

Status Controller::reward(Experiment& experiment, double now_s) {
  ORDO_TRY_ASSIGN(const std::vector<Window> windows, store_.windows(experiment.id));
  Reward reward = computeReward(windows, options_.reward, true);
  const Outcome outcome = experiment.outcome.value_or(Outcome::kVoid);
  // Harm that was seen before any window could tell how much: a penalty, marked as none of the measurements.
  // What was built and is not staged has answered wrongly.
  const bool wrong =
      outcome == Outcome::kRejected && windows.empty() && !experiment.staged && !experiment.hash.empty();
  // What failed, or answered wrongly, may well have been fast: that is none of its worth.
  const bool harm = outcome == Outcome::kRejected && reward.harm;
  const bool censored = outcome == Outcome::kRolledBack || wrong || harm;
  if (censored) {
    reward.verdict = Verdict::kReject;
    reward.why = experiment.cause;
    reward.value = -kMostReward;
    reward.error = kPenaltyError;
  } else if (outcome == Outcome::kIdentical) {
    reward.verdict = Verdict::kInconclusive;
    reward.why = experiment.cause;
    reward.value = 0;
    reward.error = kIdenticalError;
  } else if (outcome == Outcome::kAborted || outcome == Outcome::kVoid) {
    reward.verdict = Verdict::kVoid;
    reward.why = experiment.cause;
    reward.value = reward.error = std::nullopt;
  }
  ORDO_TRY(store_.addReward(holder_, experiment.id, reward, censored, now_s));
  return advance(
      experiment, State::kRewarded,
      reward.value ? fmt::format("{:+.4f} +- {:.4f}", *reward.value, *reward.error) : "nothing was learned",
      now_s);
}

}  // namespace ordo::loop
