// An Experiment says what finished candidates are worth where only trying tells: a run on this machine, a
// canary in production, a simulation. Its answers are noisy and cost time, and it cannot be forked or asked
// about what is half done: what is deterministic and cheap is a Session's (env/session.h). Everything that
// chooses by such answers is written against this header: timing/race.h, timing/selection.h. Implementations:
// timing/field_experiment.h (programs on this machine), tests/fakes/toy_experiment.h (numbers).
//
// A candidate is compared with one baseline. Values are log-ratios, baseline to candidate: 0.05 means that
// the baseline has 5 % more of what costs, and above 0 the candidate is better. A glance claims nothing. An
// answer of ask() is a claim: a false one has the chance that the experiment was set up with, at most.
//
// Ownership: an experiment owns its candidates; their numbers are 0 to size() - 1.
// Threads:   one thread at a time.
// Failure:   a candidate that fails, or a comparison of which nothing can be said, is an answer with its
// reason.
//            A Result error is our own failure, or a baseline with which nothing can be compared.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.h"
#include "support/rng.h"

namespace ordo::env {

enum class Verdict : std::uint8_t { kBetter, kWorse, kNoDifference, kVoid };

// One cheap look.
struct Glance {
  std::optional<double> value;  // nothing if it was interrupted, or the candidate failed
  std::string failure = {};     // what the candidate did wrong, or ""
};

// What an answer may take.
struct Allowance {
  double budget_s = 60;
  double share = 1;        // that budget_s is of what people give; for what they are told
  std::uint64_t seed = 1;  // of chance
  std::function<void(unsigned done, unsigned planned)> on_progress = {};
};

struct Claim {
  Verdict verdict = Verdict::kVoid;
  std::string why = {};  // for people; of kVoid, why nothing can be said
  // Nothing if not even that is known.
  struct Interval {
    double value = 0, low = 0, high = 0;
    double p = 1;  // of the claim, two-sided
  };
  std::optional<Interval> effect = {};
  std::optional<double> baseline = {};  // what the baseline typically has of what costs, in its own unit
  double cost_s = 0;                    // that this answer took
};

class Experiment {
 public:
  virtual ~Experiment() = default;

  virtual std::size_t size() const = 0;

  // The candidate beside the baseline, once. `rng` decides what is up to chance, such as who comes first.
  virtual Result<Glance> glance(std::size_t candidate, Rng& rng) = 0;

  // A claim, on evidence that no glance saw.
  virtual Result<Claim> ask(std::size_t candidate, const Allowance& allowance) = 0;

  // Makes other grounds for the next ask() about this candidate, as far as there are any: builds it anew,
  // takes another machine, waits for another day.
  virtual Status renew(std::size_t candidate) = 0;

  // Why a candidate cannot be the result, however good it is, or "". Asked of those that are to be asked
  // about, since it may take as long as that.
  virtual Result<std::string> problemOf(std::size_t) { return std::string(); }
};

}  // namespace ordo::env
