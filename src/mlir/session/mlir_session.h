// A session on a kernel: the schedule so far, and what became of it when it was compiled and run.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "mlir/learned/estimator.h"
#include "mlir/model/schedule.h"
#include "mlir/model/tokens.h"
#include "mlir/session/kernels.h"

namespace ordo::session {

// What stands before the steps in the last line of a program.
inline constexpr std::string_view kScheduleMark = "\n// ordo: schedule ";

// SessionSpec::settings, read.
struct Settings {
  std::shared_ptr<const learned::Estimator> estimator = {};  // null: the model of costs
  std::uint64_t seed = 1;                                    // of explorations
  unsigned threads = 1;                                      // that what is dealt out goes to
};

class MlirSession final : public env::Session {
 public:
  using Actions = std::vector<std::vector<model::Step>>;  // by env::ActionIndex; none is empty

  MlirSession(std::shared_ptr<Kernels> kernels, std::shared_ptr<const env::SessionSpec> spec,
              std::shared_ptr<const Actions> actions, std::shared_ptr<KernelProgram> program,
              model::Schedule start, Settings settings);

  const env::SessionSpec& spec() const override { return *spec_; }
  std::span<const env::ActionIndex> history() const override { return history_; }
  Status reset() override;
  Result<env::StepOutcome> apply(std::span<const env::ActionIndex> actions) override;
  Result<std::vector<std::uint8_t>> legalActions() override;
  Result<Hash128> stateHash() override { return hashBytes(program()); }
  Result<env::Measurement> verify() override;
  Result<env::Measurement> measure(std::string_view metric) override;
  Result<env::Observation> observe(std::string_view observation) override;
  Result<std::unique_ptr<env::Session>> fork() override { return std::make_unique<MlirSession>(*this); }

 private:
  // A state compiled, run and compared.
  struct Built {
    std::string schedule;  // its text
    std::shared_ptr<const lowering::Code> code = {};
    std::string problem = {};  // why it may not be used, or ""
  };

  // One that was run in a process of its own, and found to be right.
  struct Object {
    std::string schedule;  // its text
    std::string bytes = {};
  };

  std::string program() const;
  Result<env::Observation> tensors();
  std::vector<model::Schedule> found(std::string_view observation) const;
  env::Observation bytes(std::string text);
  env::Observation rows(model::Rows numbers, std::size_t columns);
  env::Observation vector() const;
  Result<const Built*> build();
  Result<const Object*> emit();

  std::shared_ptr<Kernels> kernels_;
  std::shared_ptr<const env::SessionSpec> spec_;
  std::shared_ptr<const Actions> actions_;
  std::shared_ptr<KernelProgram> program_;
  model::Schedule start_, schedule_;
  Settings settings_;
  std::vector<env::ActionIndex> history_;
  std::shared_ptr<const Built> built_;    // of the latest state that was asked about
  std::shared_ptr<const Object> object_;  // the latest
  std::string text_;
  model::Rows numbers_;
  std::vector<float> reals_;
};

}  // namespace ordo::session
