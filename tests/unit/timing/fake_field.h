// A field of random numbers (fake_runner.h): candidates of known speed, and what becomes of it when they are
// built anew.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "tests/unit/timing/fake_runner.h"
#include "timing/field_experiment.h"
#include "timing/race.h"

namespace ordo::timing {

class FakeField final : public Field {
 public:
  // `gains` of the candidates: 0.03 is 3 % faster.
  explicit FakeField(std::vector<double> gains, std::uint64_t seed = 1, const Machine& machine = {})
      : gains_(std::move(gains)), inner_(machine, seed) {}

  std::size_t size() const override { return gains_.size(); }
  Runner& runner() override { return runner_; }
  Status enter(std::size_t candidate) override {
    entered_ = candidate;
    inner_.setFactor(Arm::kCandidate, 1 / (1 + gains_[candidate]));
    return {};
  }
  Result<Runner*> rebuild(std::size_t candidate) override {
    ++rebuilds;
    inner_.clock.now_s += rebuild_s;
    const auto found = gains_anew.find(candidate);
    ORDO_TRY(enter(candidate));
    if (found != gains_anew.end()) inner_.setFactor(Arm::kCandidate, 1 / (1 + found->second));
    return &runner_;
  }
  Result<std::string> problemOf(std::size_t candidate) override {
    return problems.contains(candidate) ? "not the same again" : "";
  }
  void add(double gain) { gains_.push_back(gain); }
  double gain(std::size_t candidate) const { return gains_[candidate]; }
  const Clock& clock() const { return inner_.clock; }

  std::map<std::size_t, double> gains_anew;  // of those whose luck was their layout
  std::set<std::size_t> wrong;               // that do something else
  std::set<std::size_t> problems;            // that cannot be the result
  std::map<std::size_t, unsigned> runs;      // of each candidate
  unsigned rebuilds = 0;
  double rebuild_s = 0;  // that one takes
  std::atomic<bool> stop = false;
  std::size_t stop_after = ~std::size_t{0};  // runs of all

 private:
  class Watched final : public Runner {
   public:
    explicit Watched(FakeField& field) : field_(field) {}
    Result<Reading> run(Arm arm) override {
      ORDO_TRY_ASSIGN(Reading reading, field_.inner_.run(arm));
      if (field_.inner_.order.size() >= field_.stop_after) field_.stop = true;
      if (arm != Arm::kCandidate) return reading;
      ++field_.runs[field_.entered_];
      if (field_.wrong.contains(field_.entered_)) reading.failure = "other output";
      return reading;
    }
    double othersShare() override { return field_.inner_.othersShare(); }
    std::string countersProblem() const override { return field_.inner_.countersProblem(); }

   private:
    FakeField& field_;
  };

  std::vector<double> gains_;
  FakeRunner inner_;
  Watched runner_{*this};
  std::size_t entered_ = 0;
};

}  // namespace ordo::timing
