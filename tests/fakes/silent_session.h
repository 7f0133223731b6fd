// A session that takes everything and says nothing: tests override what they are about.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "env/session.h"

namespace ordo::fakes {

class SilentSession : public env::Session {
 public:
  const env::SessionSpec& spec() const override { return spec_; }
  std::span<const env::ActionIndex> history() const override { return {}; }
  Status reset() override { return {}; }
  Result<env::StepOutcome> apply(std::span<const env::ActionIndex>) override { return env::StepOutcome{}; }
  Result<std::vector<std::uint8_t>> legalActions() override { return std::vector<std::uint8_t>{}; }
  Result<Hash128> stateHash() override { return Hash128{}; }
  Result<env::Measurement> verify() override { return env::Measurement{}; }
  Result<env::Observation> observe(std::string_view) override { return env::Observation{}; }
  Result<env::Measurement> measure(std::string_view) override { return env::Measurement{}; }

 private:
  env::SessionSpec spec_;
};

}  // namespace ordo::fakes
