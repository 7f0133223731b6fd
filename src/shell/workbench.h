// What the shell works on: one episode that a person drives, and what was found out about its states.
// It says nothing to anybody; that is for the commands.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "env/episode.h"
#include "env/reward.h"
#include "env/sensor.h"
#include "env/session.h"
#include "env/vector_env.h"
#include "shell/plot.h"
#include "support/error.h"
#include "support/rng.h"

namespace ordo::shell {

struct WorkbenchSpec {
  env::Backend* backend = nullptr;  // these two outlive the workbench
  env::ProgramSource* programs = nullptr;
  env::BackendInfo info;
  std::string space;
  Hash128 space_hash;
  std::vector<env::Action> actions;
  std::vector<std::uint8_t> safe;  // one per action; 0: never applied
  env::Reward reward;              // paid at each step: a prompt has no last one
  std::string level = "Oz";        // at which `programs` compiles source
  std::string reference;           // a baseline to compare with; `programs` should know METRIC/reference
  std::vector<std::string> baselines;
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;  // ends long work between two actions

  // A metric of a program under each of `baselines`, and the shell lines that make an object of it with
  // these actions. May be missing.
  std::function<Result<std::map<std::string, double>>(const std::string& uri, const std::string& metric)>
      baseline_values;
  std::function<Result<std::vector<std::string>>(const std::string& uri, const std::vector<env::Action>&)>
      stock_commands;
};

// What an action would do in some state.
struct Preview {
  env::ActionIndex action = 0;
  env::StepStatus status = env::StepStatus::kOk;
  bool changed = false;
  double metric = 0;  // after it, if the status is ok
  std::string detail;

  bool ok() const { return status == env::StepStatus::kOk; }
};

struct Previews {
  std::vector<Preview> best_first;  // those that failed last
  std::size_t left = 0;             // not tried, because of an interrupt
};

// An observation that stays.
struct Observed {
  env::Sensor sensor;
  std::vector<std::uint32_t> shape;
  std::string bytes;
  std::vector<std::string> element_names;  // or empty

  std::vector<double> numbers() const;  // REQUIRES: not kBytes
};

class Workbench {
 public:
  explicit Workbench(WorkbenchSpec spec);

  const WorkbenchSpec& spec() const { return spec_; }

  // A program, as given. The one before stays if this one cannot be loaded.
  Status load(const std::string& uri);
  bool loaded() const { return episode_ != nullptr; }

  // The rest REQUIRES: loaded(). An error is a failure of ours; the workbench then tries to get back to
  // the state it was in, and has no program if that fails too.
  Result<env::EpisodeStep> apply(env::ActionIndex action);
  Status undo(std::uint32_t steps);
  Status reset();

  // Every safe action from here, each on a fork; what is known of the state is not tried again.
  // `progress` hears how many are done of how many.
  using Progress = std::function<void(std::size_t done, std::size_t total)>;
  Result<Previews> tryAll(const Progress& progress = {});
  // What is known of an action here; null if nothing.
  const Preview* known(env::ActionIndex action) const;

  // One of the actions that may do something here; none if there is none.
  std::optional<env::ActionIndex> randomAction();

  const env::EpisodeProgram& program() const { return *program_; }
  const std::vector<env::ActionIndex>& actions() const { return episode_->actions(); }
  std::vector<env::Action> appliedActions() const;
  // The reward's metric: [0] of the program as given, then after each action.
  const std::vector<double>& metrics() const { return metrics_; }
  double totalReward() const { return episode_->totalReward(); }
  double seconds() const;  // since the program was loaded or reset
  // The reference baseline with its value, if the program has it.
  std::optional<Reference> reference() const;
  std::vector<std::uint8_t> mask() const;

  const std::vector<env::Sensor>& sensors() const { return sensors_; }
  // kInvalidArgument that suggests the nearest for an unknown name.
  Result<Observed> observe(const std::string& name);
  Result<env::Measurement> measure(const std::string& metric);
  // Of the metric under each baseline, computed once per program.
  Result<std::map<std::string, double>> baselineValues(const std::string& metric);
  Result<std::vector<std::string>> stockCommands();

  // The program as text: now, before the last action, after an action that is not applied. The second is
  // kInvalidArgument if there is none, the third kUnsupported if it fails here.
  Result<std::string> text();
  Result<std::string> textBefore();
  Result<std::string> textAfter(env::ActionIndex action);

 private:
  bool stopped() const { return spec_.stop != nullptr && *spec_.stop; }
  void started(const env::EpisodeStep& first);
  // Goes back to `actions` after an error, or gives the program up.
  Status recover(std::vector<env::ActionIndex> actions, Error error);
  Result<std::string> textOf(env::Episode& episode);

  WorkbenchSpec spec_;
  std::shared_ptr<env::EpisodeSpec> episodes_;
  std::vector<env::Sensor> sensors_;
  std::string text_name_;  // the observation that is the program as text
  std::shared_ptr<const env::EpisodeProgram> program_;
  std::unique_ptr<env::Episode> episode_;
  std::vector<double> metrics_;
  std::vector<Hash128> hashes_;  // of the states that metrics_ is about
  std::unordered_map<Hash128, std::vector<Preview>> previews_;
  std::map<std::string, std::map<std::string, double>> baseline_values_;  // by metric
  Rng rng_;
  SteadyClock clock_;
  double began_s_ = 0;
};

}  // namespace ordo::shell
