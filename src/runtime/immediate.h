// Immediate rewards of run time: what is measured quickly decides what is tried next. Programs are drafted
// around the best so far; a surrogate that has learned from what was measured says which of them to build and
// run; and those that come out best are left for a race and trials (timing/selection.h), on other runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "search/evaluation/evaluation.h"
#include "support/clock.h"
#include "support/error.h"
#include "timing/field_experiment.h"
#include "timing/race.h"

namespace ordo::runtime {

// A program that was drafted, with what is known of it without running it.
struct Proposal {
  search::Sequence actions;
  std::vector<double> features;  // 0 for the baseline
};

// What building a program came to.
struct Added {
  enum class Code { kNew, kKnown, kBaselines, kNone };  // kNone: it could not be built
  Code code = Code::kNone;
  std::size_t candidate = 0;  // of the field, that has this code, if it is kNew or kKnown
};

// A field that grows, and where its candidates come from. One thread at a time.
class Workshop {
 public:
  virtual ~Workshop() = default;
  // Up to `wanted` programs, a few actions from `start`, none of which it gave before. All have equally many
  // features.
  virtual Result<std::vector<Proposal>> propose(const search::Sequence& start, std::size_t wanted) = 0;
  virtual Result<Added> add(const search::Sequence& actions) = 0;
  virtual timing::Field& field() = 0;
};

// What immediate rewards were worth.
struct Rewards {
  std::size_t known = 0;        // programs that were not run because their code had been
  std::size_t predicted = 0;    // programs that the surrogate said something of before they were run
  double rank_correlation = 0;  // Spearman's, of that with how they did
};

struct ImmediateOptions {
  double budget_s = 45;  // exceeded by what was begun
  timing::Quantity quantity = timing::Quantity::kCpu;
  std::size_t drafted = 24;  // programs of a generation
  std::size_t built = 6;     // of these and of those left over; a quarter of them by chance
  std::size_t pairs = 2;     // of runs, for each that is built
  std::size_t leaders = 6;
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view)> on_step = {};
};

struct ImmediateResult {
  std::vector<std::size_t> leaders;              // the best candidates of the field, best first
  std::size_t refused = 0;                       // candidates that did something else than the baseline
  std::vector<timing::Standing> standings = {};  // of all that ran
  Rewards rewards;
};

// Runs from the sequence `start`, which is the baseline's. Claims nothing. Errors as of the workshop and
// timing::race().
Result<ImmediateResult> searchByTime(Workshop& workshop, const search::Sequence& start, const Clock& clock,
                                     const ImmediateOptions& options);

// Some candidates of another field, by their numbers there. That field must outlive it.
class ChosenField final : public timing::Field {
 public:
  ChosenField(timing::Field& field, std::vector<std::size_t> chosen)
      : field_(field), chosen_(std::move(chosen)) {}

  std::size_t size() const override { return chosen_.size(); }
  timing::Runner& runner() override { return field_.runner(); }
  Status enter(std::size_t candidate) override { return field_.enter(chosen_[candidate]); }
  Result<timing::Runner*> rebuild(std::size_t candidate) override {
    return field_.rebuild(chosen_[candidate]);
  }
  Result<std::string> problemOf(std::size_t candidate) override {
    return field_.problemOf(chosen_[candidate]);
  }
  // Its number in the other field.
  std::size_t original(std::size_t candidate) const { return chosen_[candidate]; }

 private:
  timing::Field& field_;
  const std::vector<std::size_t> chosen_;
};

}  // namespace ordo::runtime
