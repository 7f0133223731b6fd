// Whether recorded states of environments are what they say: each is replayed in a fresh session and its
// figures are compared; and where the program can be run, what was made of it is run beside what clang
// makes of it, by itself and under the address sanitizer.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "check/behaviour.h"
#include "engine/engine.h"
#include "engine/program_library.h"
#include "recipe/state.h"
#include "spaces/space.h"

namespace ordo::check {

// Its checks are, in order: program, actions, replay, value, reward, output, address, source.
// docs/formats/state.md says what each can prove. Those after a failed program, actions or replay are not
// asked.
struct Validation {
  std::vector<Check> checks;

  bool ok() const;  // nothing failed
};

struct ValidateOptions {
  double tolerance = 1e-5;  // of value and reward, relative
  int retries = 2;          // of runs of the program that went wrong, which a busy machine can cause
  bool run = true;          // ask output, address and source
};

// One thread at a time. Remembers what programs do when clang compiles them, so states of one program
// cost less after the first.
class Validator {
 public:
  // `engine` outlives it; it should not remember crashes of earlier runs, which would mask actions. The
  // manifest and the spaces come from `data`.
  static Result<std::unique_ptr<Validator>> create(engine::Engine& engine, const std::filesystem::path& data,
                                                   const ValidateOptions& options);

  // An error is a failure of ours. A state that cannot be what it says is a verdict.
  Result<Validation> validate(const recipe::State& state);

 private:
  Validator(engine::Engine& engine, std::filesystem::path data, const ValidateOptions& options)
      : engine_(engine), data_(std::move(data)), options_(options) {}

  // Each returns the check, and leaves what comes next in its last parameter.
  Result<Check> checkProgram(const recipe::State& state, std::shared_ptr<const env::EpisodeProgram>& program);
  Result<Check> checkActions(const recipe::State& state, env::SessionSpec& spec,
                             std::vector<env::ActionIndex>& indices);
  Result<Check> checkReplay(const recipe::State& state, const env::SessionSpec& spec,
                            const std::vector<env::ActionIndex>& indices, std::vector<double>& measured,
                            std::string& bitcode);
  Check checkValue(const recipe::State& state, double value) const;
  Check checkReward(const recipe::State& state, const env::EpisodeProgram& program, double value) const;
  Result<const Behaviour*> reference(const recipe::State& state);

  engine::Engine& engine_;
  std::filesystem::path data_;
  ValidateOptions options_;
  spaces::Manifest manifest_;
  std::map<std::string, spaces::Space> spaces_;
  std::map<std::string, std::unique_ptr<engine::ProgramLibrary>> libraries_;  // by level and values
  std::map<std::string, Behaviour> references_;                               // by program and level
};

}  // namespace ordo::check
