// Builds, stages and deploys by the commands of loop.toml.
#pragma once

#include <atomic>
#include <map>

#include "loop/service/settings.h"

namespace ordo::loop {

// `line` with its placeholders replaced; those that are not given stay.
CommandLine filled(const CommandLine& line, const std::map<std::string, std::string>& values);

// Runs it in the folder of `settings`, and gives what it printed. kUnavailable with its last words if it
// fails or takes longer than `timeout_s`.
Result<std::string> outputOf(const CommandLine& line, const Settings& settings, double timeout_s,
                             const std::atomic<bool>* stop);

class CommandBuilder final : public Builder {
 public:
  // `settings` has to outlive it, as for the others.
  CommandBuilder(const Settings& settings, const std::atomic<bool>* stop)
      : settings_(settings), stop_(stop) {}

  // Twice it really builds, so that what is never the same twice shows; then what is there is given.
  Result<Built> build(const std::string& candidate) override;

 private:
  struct Made {
    unsigned times = 0;
    Built built;
  };
  const Settings& settings_;
  const std::atomic<bool>* stop_;
  std::map<std::string, Made> made_;
};

// Trials of docs/timing.md, on this machine.
class TimedStage final : public Stage {
 public:
  TimedStage(const Settings& settings, const std::atomic<bool>* stop) : settings_(settings), stop_(stop) {}

  Result<std::string> failureOf(const std::string& production, const std::string& artifact) override;
  Result<Staged> measure(const std::string& production, const std::string& artifact) override;

 private:
  const Settings& settings_;
  const std::atomic<bool>* stop_;
};

class CommandPools final : public Pools {
 public:
  CommandPools(const Settings& settings, Builder& builder, const std::atomic<bool>* stop)
      : settings_(settings), builder_(builder), stop_(stop) {}

  Status deploy(Pool pool, const std::string& artifact) override;
  Status stop(Pool pool) override;

 private:
  const Settings& settings_;
  Builder& builder_;
  const std::atomic<bool>* stop_;
};

}  // namespace ordo::loop
