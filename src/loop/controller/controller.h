// The loop itself: one step at a time, from a proposal to a lesson.
//
//   proposed  built  verified  staged  warmup  ramp  observe  promoting | rolling back  ended  rewarded
//   closed
//
// What the world should be is a function of the recorded state, and each tick makes it so: a controller that
// is killed anywhere does no more than come back later. While a canary has traffic, the guard looks first at
// every tick. On an alarm the canary's share goes to 0 before anything is written or stopped. A controller
// that begins with a canary deployed does that too, and starts control and canary together again.
//
// What takes long (builds, the stage, deploys) is an errand: the lease is kept meanwhile, and a wish to pause
// or to abort breaks it off. The canary has no traffic then, so that no guard is needed.
//
// Time is what the caller says. One thread at a time.
#pragma once

#include <memory>

#include "loop/controller/observer.h"
#include "loop/controller/world.h"
#include "loop/safety/governor.h"
#include "loop/safety/guard.h"
#include "loop/store/store.h"

namespace ordo::loop {

struct LoopOptions {
  RewardOptions reward = {};
  GovernorOptions governor = {};
  GuardOptions guard = {};
  double tick_s = 2;    // the guard's period; the caller ticks so often
  double lease_s = 10;  // without a tick for so long, the canary's share is 0
  double window_s = 30;
  double warmup_s = 30;
  double ramp_hold_s = 30;  // at each share
  std::vector<double> ramp = {0.01, 0.05, 0.10};
  double spending_s = 60;         // requests are added up for so long
  double wait_s = 7 * 86400.0;    // for a budget, before an experiment is given up
  double most_stage_loss = 0.02;  // slower than that on the stage never sees production
  unsigned most_restarts = 5;
  std::string toolchain = "";  // of what is built
  std::uint64_t seed = 1;
  std::size_t most_experiments = 0;  // that are begun; 0: no end
};

Status check(const LoopOptions& options);

// Ticks that something may fail in a row before it is given up.
inline constexpr unsigned kMostTries = 3;

class Controller {
 public:
  // Takes the lease and reads the state. kUnavailable if another controller has it. `store` and `world` have
  // to outlive it.
  static Result<std::unique_ptr<Controller>> begin(Store& store, World world, const LoopOptions& options,
                                                   const std::string& holder, double now_s);

  // One step. An error is a loop that must not go on: the lease is lost, or the store cannot be written. The
  // canary's share is 0 then, as far as the balancer answers, unless it is another controller's.
  Status tick(double now_s);

  // Nothing is open, and nothing will be: as many experiments as wanted are over, or nothing is worth a
  // trial.
  bool idle() const { return idle_; }

  // Takes the canary out of the traffic, for who ends on purpose. What is open goes on with the next
  // controller.
  Status end(double now_s);

  const Allowance& allowance() const { return allowance_; }
  std::optional<double> share() const { return share_; }
  // Whether a canary of ours may have traffic: who ends must not leave it alone.
  bool exposed() const { return exposed_; }
  // By the windows of what is observed, if there is one.
  const std::optional<Reward>& soFar() const { return so_far_; }

 private:
  Controller(Store& store, World world, const LoopOptions& options, std::string holder);

  Status recover(double now_s);
  Status run(double now_s);
  // Does `work` as an errand. `now_s` is the time at its end then, and broken_off_ says if it was.
  template <typename Work>
  auto patiently(double& now_s, Work work) {
    std::optional<decltype(work())> result;
    const Errands::Done done =
        world_.errands.run([&] { result.emplace(work()); }, [this](double at_s) { return beat(at_s); });
    now_s = done.now_s;
    broken_off_ = done.broken_off;
    return std::move(*result);
  }
  // Keeps the lease; whether the errand is still wanted.
  bool beat(double now_s);
  // Errands. kUnavailable with the reason if there is no program.
  Result<Built> built(const std::string& candidate, double& now_s);
  Status stopped(Pool pool, double& now_s);
  Status govern(double now_s);
  // Wishes, guard, governor; whether the step may be taken.
  Result<bool> heed(Experiment& experiment, double now_s);
  Status step(Experiment& experiment, double now_s);
  Status propose(double now_s);
  Status build(Experiment& experiment, double now_s);
  Status verify(Experiment& experiment, double now_s);
  Status stage(Experiment& experiment, double now_s);
  Status deploy(Experiment& experiment, double now_s);
  Status ramp(Experiment& experiment, double now_s);
  Status observe(Experiment& experiment, double now_s);
  Status promote(Experiment& experiment, double now_s);
  Status rollBack(Experiment& experiment, double now_s);
  Status reward(Experiment& experiment, double now_s);

  // Share to 0, then the record.
  Status withdraw(Experiment& experiment, Outcome outcome, const std::string& cause, double now_s);
  Status advance(Experiment& experiment, State to, const std::string& cause, double now_s);
  Status conclude(Experiment& experiment, Outcome outcome, const std::string& cause, double now_s);
  // It did not work, for what is not known to be the candidate's doing: at the next tick again, or, after
  // some of them, void.
  Status again(Experiment& experiment, const std::string& cause, double now_s);
  // It answers wrongly: rejected, if it does so twice.
  Status doubt(Experiment& experiment, const std::string& failure, double now_s);
  // Whether the balancer does as wanted.
  bool steer(const Shares& shares);
  double shareOf(const Experiment& experiment) const;

  Store& store_;
  World world_;
  const LoopOptions options_;
  const std::string holder_;
  Rng rng_;
  Allowance allowance_;
  Figures now_, spent_from_;  // readings: of this tick, and of the last spending
  std::string problem_;       // why there were no figures at this tick, or ""
  double ticked_s_ = 0;
  double spent_at_s_ = 0;
  std::vector<Spending> spent_;  // of the budget's period, as in the store
  Guard guard_;
  Watch watch_;
  News news_;
  Observer observer_;
  bool observing_ = false;
  std::vector<Window> windows_;  // of what is observed, as in the store
  std::optional<Reward> so_far_;
  bool came_up_ = false;  // the canary, since it was started
  unsigned tries_ = 0;    // of what did not work at the last tick either
  std::size_t rung_ = 0;  // of the ramp
  double rung_since_s_ = 0;
  std::optional<double> share_;  // that the balancer was told last
  bool exposed_ = true;
  bool broken_off_ = false;   // the last errand
  double rests_until_s_ = 0;  // that people were told of
  std::size_t begun_ = 0;
  bool idle_ = false;
};

}  // namespace ordo::loop
