// A tick: lease, reading, budget, then what is open. The steps themselves are in steps.cpp.
#include "loop/controller/controller.h"

#include <algorithm>
#include <cmath>

namespace ordo::loop {
namespace {

constexpr double kYear = 366 * 86400.0;

bool hasTraffic(State state) {
  return state == State::kWarmup || state == State::kRamp || state == State::kObserve;
}

// Whether nobody but a controller may stop it here: it is on its way out, or in.
bool isEnding(State state) { return state >= State::kPromoting; }

bool near(const Shares& a, const Shares& b) {
  // Balancers have whole numbers as weights.
  return std::abs(a.canary - b.canary) <= 0.01 && std::abs(a.control - b.control) <= 0.01 &&
         (a.canary > 0) == (b.canary > 0);
}

}  // namespace

Controller::Controller(Store& store, World world, const LoopOptions& options, std::string holder)
    : store_(store),
      world_(world),
      options_(options),
      holder_(std::move(holder)),
      rng_(options.seed),
      guard_(options.guard) {}

Result<std::unique_ptr<Controller>> Controller::begin(Store& store, World world, const LoopOptions& options,
                                                      const std::string& holder, double now_s) {
  ORDO_TRY(check(options));
  ORDO_TRY(store.lease(holder, now_s, options.lease_s));
  std::unique_ptr<Controller> controller(new Controller(store, world, options, holder));
  controller->ticked_s_ = now_s;
  ORDO_TRY(controller->recover(now_s));
  return controller;
}

Status Controller::recover(double now_s) {
  if (!steer({})) world_.listener.alert("the balancer does not take the canary's share back");
  ORDO_TRY_ASSIGN(const std::vector<Experiment> all, store_.experiments());
  rng_ = Rng(options_.seed).stream(all.size());
  ORDO_TRY_ASSIGN(std::optional<Experiment> experiment, store_.current());
  // Nothing had been shared out, so that it does not matter if the balancer is not there.
  if (!experiment || experiment->state < State::kWarmup) exposed_ = false;
  if (!experiment) return {};
  // What runs on the stage runs beside this controller, and may have ended those before it.
  const bool on_stage = experiment->state == State::kBuilt || experiment->state == State::kVerified;
  if (!on_stage && !hasTraffic(experiment->state)) return {};
  if (++experiment->restarts > options_.most_restarts) {
    const std::string cause = fmt::format("controllers began anew {} times under it", experiment->restarts);
    if (on_stage) return conclude(*experiment, Outcome::kVoid, cause, now_s);
    return withdraw(*experiment, Outcome::kAborted, cause, now_s);
  }
  return advance(*experiment, on_stage ? experiment->state : State::kStaged, "a controller began anew",
                 now_s);
}

Status Controller::tick(double now_s) {
  Status done = store_.lease(holder_, now_s, options_.lease_s);
  if (done) {
    // Who was not there for so long finds the canary withdrawn, and begins anew.
    const bool late = now_s - ticked_s_ > options_.lease_s;
    ticked_s_ = now_s;
    if (late) done = recover(now_s);
  }
  if (done) done = run(now_s);
  if (done) return {};
  // Who has lost the lease touches nothing: it is another's canary. Who does not know takes it out.
  if (store_.leasedToAnother(holder_, now_s).value_or(false)) {
    exposed_ = false;
  } else {
    steer({});
  }
  world_.listener.alert(done.error().message);
  return done;
}

bool Controller::beat(double now_s) {
  // Without the store nothing is to be begun; the next tick will say so.
  if (!store_.lease(holder_, now_s, options_.lease_s)) return false;
  ticked_s_ = now_s;
  return store_.wish().value_or(Wish::kRun) == Wish::kRun;
}

Status Controller::run(double now_s) {
  Result<Figures> figures = world_.metrics.read();
  now_ = figures ? *figures : Figures{};
  news_.see(now_, now_s);
  const std::string problem = figures ? world_.metrics.problem() : figures.error().message;
  if (!problem.empty() && problem != problem_) world_.listener.alert(problem);
  problem_ = problem;
  ORDO_TRY(govern(now_s));
  ORDO_TRY_ASSIGN(std::optional<Experiment> experiment, store_.current());
  if (!experiment) return propose(now_s);
  ORDO_TRY_ASSIGN(const bool goes_on, heed(*experiment, now_s));
  if (!goes_on) return {};
  return step(*experiment, now_s);
}

Status Controller::end(double now_s) {
  const bool steered = steer({});
  ORDO_TRY_ASSIGN(std::optional<Experiment> experiment, store_.current());
  if (experiment && hasTraffic(experiment->state))
    ORDO_TRY(advance(*experiment, State::kStaged, "the controller ended", now_s));
  ORDO_TRY(store_.release(holder_));
  if (!steered) return fail(ErrorCode::kUnavailable, "the balancer does not take the canary's share back");
  return {};
}

Status Controller::govern(double now_s) {
  if (now_s - spent_at_s_ >= options_.spending_s) {
    const Spending spending = spendingOf(spent_from_, now_, options_.reward.slo_s, now_s);
    if (spending.requests > 0) ORDO_TRY(store_.spend(holder_, spending));
    // Not at each tick: it is a month of rows, and nobody else adds to them.
    const double period_s = options_.governor.period_s * options_.governor.time_scale;
    ORDO_TRY_ASSIGN(spent_, store_.spending(now_s - period_s));
    spent_at_s_ = now_s;
  }
  ORDO_TRY_ASSIGN(const Mode last, store_.mode());
  allowance_ = allow(spent_, now_s, last, options_.governor);
  if (allowance_.mode == last) return {};
  world_.listener.event(fmt::format("{}: {}", name(allowance_.mode), allowance_.why));
  return store_.setMode(holder_, allowance_.mode);
}

Result<bool> Controller::heed(Experiment& experiment, double now_s) {
  ORDO_TRY_ASSIGN(const Wish wish, store_.wish());
  const auto out = [&](Outcome outcome, const std::string& cause) -> Result<bool> {
    ORDO_TRY(withdraw(experiment, outcome, cause, now_s));
    return false;
  };
  if (wish == Wish::kAbort && !isEnding(experiment.state)) {
    ORDO_TRY(withdraw(experiment, Outcome::kAborted, "somebody asked for it", now_s));
    ORDO_TRY(store_.grant(wish));
    return false;
  }
  if (hasTraffic(experiment.state)) {
    if (wish == Wish::kPause) return out(Outcome::kAborted, "the loop was paused");
    const std::optional<Counters>& canary = now_[static_cast<std::size_t>(Pool::kCanary)];
    came_up_ = came_up_ || (canary && canary->up);
    // It has had no request: nobody was harmed, and who kept it down is not known.
    if (!came_up_ && now_s - experiment.changed_s > options_.warmup_s)
      return out(Outcome::kVoid, "the canary did not come up");
    if (came_up_) {
      Look look = watch_.look(now_, experiment.state == State::kWarmup);
      look.missed = news_.missed(now_s, options_.tick_s);
      if (const std::optional<Alarm> alarm = guard_.look(look))
        return out(
            alarm->harm ? Outcome::kRolledBack : Outcome::kVoid,
            alarm->harm || problem_.empty() ? alarm->why : fmt::format("{}: {}", alarm->why, problem_));
    }
    if (allowance_.mode == Mode::kExploit) return out(Outcome::kAborted, allowance_.why);
  } else if (wish == Wish::kPause && !isEnding(experiment.state)) {
    return false;
  }
  const double share = shareOf(experiment);
  const Shares wanted{share, share};
  const Result<Shares> real = world_.traffic.get();
  if (real && near(*real, wanted) && share_ == share) return true;
  if (observing_) {
    observer_.spoil(real ? "the share of traffic changed" : "the balancer did not answer");
  }
  if (!steer(wanted)) {
    if (share > 0) return out(Outcome::kVoid, "the balancer cannot be steered");
  } else if (share > 0) {
    world_.listener.event(
        fmt::format("{} gets {:.2g} % of requests, and control as many", experiment.candidate, 100 * share));
  }
  return true;
}

double Controller::shareOf(const Experiment& experiment) const {
  switch (experiment.state) {
    case State::kWarmup:
      return std::min(options_.ramp.front(), allowance_.most_share);
    case State::kRamp:
      return std::min(options_.ramp[rung_], allowance_.most_share);
    case State::kObserve:
      return std::min(options_.ramp.back(), allowance_.most_share);
    default:
      return 0;
  }
}

bool Controller::steer(const Shares& shares) {
  exposed_ = exposed_ || shares.canary > 0;
  const Status done = world_.traffic.set(shares);
  share_ = done ? std::optional(shares.canary) : std::nullopt;
  if (share_ == 0.0) exposed_ = false;
  if (!done) world_.listener.alert(done.error().message);
  return done.has_value();
}

Status Controller::stopped(Pool pool, double& now_s) {
  return patiently(now_s, [&] { return world_.pools.stop(pool); });
}

Status Controller::withdraw(Experiment& experiment, Outcome outcome, const std::string& cause, double now_s) {
  if (!steer({})) {
    // Its health checks take out of the traffic what cannot be steered out of it.
    world_.listener.alert("the canary's share could not be set to 0; it is stopped instead");
    static_cast<void>(stopped(Pool::kCanary, now_s));
  }
  experiment.outcome = outcome;
  return advance(experiment, State::kRollingBack, cause, now_s);
}

Status Controller::advance(Experiment& experiment, State to, const std::string& cause, double now_s) {
  const State from = experiment.state;
  experiment.state = to;
  experiment.cause = cause;
  experiment.changed_s = now_s;
  tries_ = 0;
  observing_ = false;
  so_far_.reset();
  ORDO_TRY(store_.advance(holder_, from, experiment, now_s));
  world_.listener.step(experiment);
  return {};
}

Status Controller::conclude(Experiment& experiment, Outcome outcome, const std::string& cause, double now_s) {
  experiment.outcome = outcome;
  return advance(experiment, State::kEnded, fmt::format("{}: {}", name(outcome), cause), now_s);
}

Status Controller::again(Experiment& experiment, const std::string& cause, double now_s) {
  world_.listener.event(cause);
  if (++tries_ < kMostTries) return {};
  return conclude(experiment, Outcome::kVoid, cause, now_s);
}

Status Controller::doubt(Experiment& experiment, const std::string& failure, double now_s) {
  if (++tries_ < 2) return {};
  return conclude(experiment, Outcome::kRejected, failure, now_s);
}

Status check(const LoopOptions& options) {
  ORDO_TRY(check(options.reward));
  ORDO_TRY(check(options.governor));
  ORDO_TRY(check(options.guard));
  const auto demand = [](bool right, std::string_view what) -> Status {
    if (right) return {};
    return fail(ErrorCode::kInvalidArgument, "{}", what);
  };
  ORDO_TRY(demand(options.tick_s >= 0.05 && options.tick_s <= 3600, "tick is from 0.05 s to an hour"));
  ORDO_TRY(demand(options.lease_s >= 2 * options.tick_s && options.lease_s <= 86400,
                  "lease is two ticks at least, and a day at most"));
  ORDO_TRY(demand(options.window_s >= options.tick_s && options.window_s <= 86400,
                  "window is from a tick to a day"));
  ORDO_TRY(demand(options.warmup_s >= 0 && options.warmup_s <= kYear && options.ramp_hold_s >= 0 &&
                      options.ramp_hold_s <= kYear,
                  "warmup and ramp_hold are not negative, and a year at most"));
  ORDO_TRY(demand(!options.ramp.empty() && options.ramp.front() > 0 && options.ramp.back() <= 0.4 &&
                      std::ranges::is_sorted(options.ramp),
                  "ramp is a list of shares that rise, above 0 and at most 0.4"));
  ORDO_TRY(demand(options.most_stage_loss >= 0 && options.most_stage_loss <= 10,
                  "most_stage_loss is from 0 to 10"));
  return demand(
      options.spending_s > 0 && options.spending_s <= kYear && options.wait_s >= 0 && options.wait_s <= kYear,
      "spending is above 0, wait is not negative, and both are a year at most");
}

}  // namespace ordo::loop
