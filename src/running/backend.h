// The engine's backend, whose sessions also observe what only shows when their program runs (observation.h),
// and measure its run time (run_time.h) as the metric env::kRuntime.
//
// Such an observation takes a build and some runs, so it is made only where it is asked for, in the process
// and thread that asks, and once for each state: who comes to a state again gets the same numbers. It is part
// of step() like any other; finishStep() then takes as long as that, however ready the step was. A program
// that cannot be run is refused before anything is done (kUnsupported), as is a machine that has nothing to
// observe with (kUnavailable). An observation compares nothing and claims nothing; a run time is that of a
// trial.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "env/session.h"
#include "frontend/level.h"
#include "running/run_time.h"

namespace ordo::running {

// What sessions of one backend share. Internal to backend.cpp.
struct Shared;

class RunningBackend final : public env::Backend {
 public:
  // Programs are built as clang does at `level`. `engine` outlives it, and its backend is LLVM's.
  RunningBackend(engine::Engine& engine, frontend::Level level, const RunTimeOptions& run_time = {});
  ~RunningBackend() override;

  Result<env::BackendInfo> describe() override;
  // To be run, a program is what datasets::loadProgram() finds under SessionSpec::name.
  Result<std::unique_ptr<env::Session>> open(env::SessionSpec spec) override;
  std::uint32_t activity() const override;
  void awaitActivity(std::uint32_t seen, double seconds, bool spin) override;

 private:
  std::shared_ptr<Shared> shared_;
};

}  // namespace ordo::running
