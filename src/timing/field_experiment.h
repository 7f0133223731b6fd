// Programs on this machine as an env::Experiment: a glance is a run of each of the two, an answer is a trial
// (trial.h), and the other grounds are a fresh build whose code lies at other addresses.
#pragma once

#include <string>

#include "env/experiment.h"
#include "support/clock.h"
#include "timing/comparison.h"
#include "timing/runner.h"

namespace ordo::timing {

// A baseline, candidates, and what runs them. One thread at a time.
class Field {
 public:
  virtual ~Field() = default;
  virtual std::size_t size() const = 0;
  // Of the baseline, and as Arm::kCandidate of the candidate that was entered last.
  virtual Runner& runner() = 0;
  virtual Status enter(std::size_t candidate) = 0;
  // A runner of the same two, built anew and with their code at other addresses. Valid until the next call.
  virtual Result<Runner*> rebuild(std::size_t candidate) = 0;
  // As of env::Experiment.
  virtual Result<std::string> problemOf(std::size_t) { return std::string(); }
};

// Of `options` all counts but what env::Allowance says. `stop` ends whatever is under way. Errors of glances:
// kUnavailable if the quantity is not counted here, kInvalidArgument if the baseline fails: one of ours has
// run it before. Of answers: as compare(), and of the field.
class FieldExperiment final : public env::Experiment {
 public:
  // What it is made of must outlive it.
  FieldExperiment(Field& field, const Clock& clock, TrialOptions options = {})
      : field_(field), clock_(clock), options_(std::move(options)) {}

  std::size_t size() const override { return field_.size(); }
  Result<env::Glance> glance(std::size_t candidate, Rng& rng) override;
  Result<env::Claim> ask(std::size_t candidate, const env::Allowance& allowance) override;
  Status renew(std::size_t candidate) override;
  Result<std::string> problemOf(std::size_t candidate) override { return field_.problemOf(candidate); }

 private:
  bool stopAsked() const { return options_.stop != nullptr && *options_.stop; }

  Field& field_;
  const Clock& clock_;
  const TrialOptions options_;
  // Of the candidate that was renewed last, until somebody asks or glances.
  Runner* renewed_ = nullptr;
  std::size_t renewed_candidate_ = 0;
};

}  // namespace ordo::timing
