// An episode: one program, one action after another, each observed and rewarded. What a reinforcement
// learner calls an environment, without its interface: a vector of them is env/vector_env.h.
//
// An action that fails (crashes, hangs, is refused, breaks the program where that is looked at) is undone:
// it earns nothing, the state is what it was, and it is masked in that state from then on. Where the
// program is only verified at the end and turns out broken there, the last step takes back all that was
// earned, so that no broken program is ever worth more than doing nothing. Only the action of the step is
// ever blamed: where the state before it cannot be looked at any more, it is made anew, or the episode ends.
//
// One thread at a time. A call that returns an error leaves the episode in need of a reset.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/reward.h"
#include "env/sensor.h"
#include "env/session.h"
#include "env/useless_actions.h"
#include "support/clock.h"

namespace ordo::env {

// A program as episodes need it. `values` holds C(0) and C(B) of what reward and sensors refer to, as
// "METRIC/initial" and "METRIC/BASELINE".
struct EpisodeProgram {
  std::string uri;
  std::string program;
  Hash128 hash;  // of `program`
  std::string settings;
  std::map<std::string, double, std::less<>> values;
};

// What episodes of one environment have in common.
struct EpisodeSpec {
  Backend* backend = nullptr;  // outlives the episodes
  std::vector<Action> actions;
  std::vector<std::uint8_t> safe;  // one per action; 0: never applied
  std::vector<Sensor> sensors;
  Reward reward;
  std::uint32_t max_steps = 0;  // 0: no limit
  std::uint32_t max_uses = 0;   // how often one action may be applied in an episode; 0: no limit
  bool stop_action = true;      // index actions.size() ends the episode
  bool mask_no_effect = true;   // mask what is known to do nothing in this state
  bool verify_each = false;     // verify after every step instead of at the end
  bool hash = false;            // report the state's hash with every step
  bool spin = true;             // see StepRequest

  std::uint32_t choices() const { return static_cast<std::uint32_t>(actions.size()) + (stop_action ? 1 : 0); }
};

enum class Ending : std::uint8_t {
  kNone,
  kStopped,    // by the stop action
  kStepLimit,  // truncated, not terminated
  kExhausted,  // no action is left
  kBroken,     // the program did not verify at the end, or cannot be made again after a failure
};

// "", "stopped", "step limit", ...
std::string_view name(Ending ending);

// What one step, or a reset, did.
struct EpisodeStep {
  double reward = 0;
  Ending ending = Ending::kNone;
  StepStatus status = StepStatus::kOk;
  bool changed = false;  // as the backend reports it
  std::string detail;    // of a failure
  // The reward's metric now; that of the latest measurement if this step did not need one.
  double metric = std::numeric_limits<double>::quiet_NaN();
  Hash128 hash;        // if the spec asks for it
  double seconds = 0;  // wall clock from sending the action to noticing the answer

  bool terminated() const { return ending != Ending::kNone && ending != Ending::kStepLimit; }
  bool truncated() const { return ending == Ending::kStepLimit; }
  bool done() const { return ending != Ending::kNone; }
};

class Episode {
 public:
  explicit Episode(std::shared_ptr<const EpisodeSpec> spec);

  // Starts anew, with `program`. kInvalidArgument if the reward is not defined for it.
  Status beginReset(std::shared_ptr<const EpisodeProgram> program);
  // REQUIRES: action < spec().choices(), a reset before it and no ending since.
  Status beginStep(std::uint32_t action);
  // Whether finish() would return at once.
  bool ready() const { return session_->stepReady(); }
  Result<EpisodeStep> finish();

  Result<EpisodeStep> reset(std::shared_ptr<const EpisodeProgram> program);
  Result<EpisodeStep> step(std::uint32_t action);

  // Forgets what earlier episodes learned of which action does nothing where, so that the masks of the next
  // are those of a new Episode.
  void forget() { useless_.clear(); }

  // Takes back the last `steps` actions that were applied, by replaying those before them.
  Result<EpisodeStep> undo(std::uint32_t steps = 1);

  // An independent episode in the same state.
  Result<std::unique_ptr<Episode>> fork();

  const EpisodeSpec& spec() const { return *spec_; }
  const EpisodeProgram& program() const { return *program_; }
  Session& session() const { return *session_; }

  // One observation of the state, as sensors[i] describes it. Ends with the next non-const call.
  Observation observation(std::size_t sensor) const;

  // Writes one byte per choice: 1 if it may be chosen: if it is safe, legal in this state by what the session
  // says (Session::legalActions()), and neither used up nor known to be useless here. The stop action always
  // may.
  void mask(std::span<std::uint8_t> out) const;

  // The actions applied since the reset, with a kPipe where a fork began.
  const std::vector<ActionIndex>& actions() const { return actions_; }
  std::uint32_t steps() const { return steps_; }
  Ending ended() const { return ending_; }
  double totalReward() const { return total_; }
  double metric() const { return metric_; }

 private:
  enum class Phase { kIdle, kReset, kStep };

  StepRequest request(bool verify, bool measure) const;
  Status begin(Phase phase, const StepRequest& request);
  Result<EpisodeStep> finishStep(StepReport& report);
  bool observed(const StepReport& report) const {
    return report.observations.size() == backend_names_.size();
  }
  // What sensors show of a state that cannot be looked at: zeros.
  void blank();
  // After an action led to a state that cannot even be looked at: takes it back.
  Result<EpisodeStep> recover(Error error);
  // Replays actions_ and looks at the state; for what cannot be had from the step itself. kUnavailable
  // if that does not lead there: some passes follow addresses, and crash once in a thousand times.
  Result<StepReport> revisit(bool verify);
  // Goes to the state of actions_ by replay, without what `step` failed in, and pays for what is left, or
  // ends the episode as kBroken.
  Result<EpisodeStep> takeBack(EpisodeStep step, StepReport& report);
  // Ends the episode: what it earned is taken back.
  EpisodeStep breakOff(EpisodeStep step);
  // Forgets the last action, and a pipe behind it.
  void drop();
  void forgetLast();
  // Takes over what a report says of the state. Null, or the first measurement that failed.
  const Measurement* keep(const StepReport& report);
  // What the metric's change since the last payment is worth, and pays it.
  double pay();
  Ending endingNow(bool stop) const;

  std::shared_ptr<const EpisodeSpec> spec_;
  std::shared_ptr<const EpisodeProgram> program_;
  std::unique_ptr<Session> session_;
  Phase phase_ = Phase::kIdle;
  SteadyClock clock_;
  double began_s_ = 0;
  std::uint32_t action_ = 0;  // of the step under way
  Ending ending_ = Ending::kNone;

  std::vector<ActionIndex> actions_;
  std::vector<Hash128> states_;        // before each of actions_; see useless_
  std::vector<std::int64_t> history_;  // what the sensors of these names show
  std::vector<std::int64_t> histogram_;
  std::vector<std::uint8_t> legal_;  // by the session, in this state; empty if all are
  std::uint32_t applied_ = 0;        // actions_ without pipes
  std::uint32_t steps_ = 0;

  double scale_ = 1;
  double metric_ = 0;  // latest value of the reward's metric
  double paid_ = 0;    // its value up to which rewards were paid
  double total_ = 0;

  std::vector<std::string> backend_names_;  // what sensors ask of the session
  std::vector<std::string> metric_names_;
  std::vector<std::size_t> slots_;            // of each sensor, in the list of its kind
  std::vector<Observation> observed_;         // in the order of backend_names_
  std::vector<std::vector<std::byte>> seen_;  // what they look at after a fork
  std::vector<double> measured_;              // in the order of metric_names_

  // By state, which is named by its program and the actions that changed something in it: equal names
  // are equal states, and the name costs nothing.
  Hash128 state_;
  UselessActions useless_;
};

}  // namespace ordo::env
