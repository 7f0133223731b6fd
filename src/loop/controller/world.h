// What a controller asks of the world, each behind an interface: real ones are in loop/service, and
// tests/fakes/simulated_world.h is a whole service of random numbers on a clock of its own.
//
// Failure: an error is a world that does not answer now. A controller goes on; what it cannot see or steer is
// taken out of the traffic. What a candidate does wrong is an answer.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/reward/window.h"
#include "loop/store/store.h"
#include "support/error.h"
#include "support/rng.h"

namespace ordo::loop {

// Who serves. Control is what production is, but started when the canary was, and of its size: what differs
// between these two is the candidate.
enum class Pool : std::uint8_t { kProduction, kControl, kCanary };
inline constexpr std::size_t kPools = 3;

// "production", "control", "canary"
constexpr std::string_view name(Pool pool) {
  constexpr std::array<std::string_view, kPools> kNames = {"production", "control", "canary"};
  return kNames[static_cast<std::size_t>(pool)];
}

struct Built {
  std::string artifact;  // a file
  std::string hash;      // of what is loaded of it: equal ones are the same program
  std::string failure;   // why there is none, or ""
};

class Builder {
 public:
  virtual ~Builder() = default;
  // Blocks; the same candidate again is built again. What production was at first has the name "".
  virtual Result<Built> build(const std::string& candidate) = 0;
};

struct Staged {
  std::string failure;          // why it must not serve: it crashes, or its answers differ from production's
  std::optional<double> value;  // log-ratio of production's time over its; nothing if that was not measured
  std::optional<double> error;
  std::string unmeasured = {};  // why there is no value
};

class Stage {
 public:
  virtual ~Stage() = default;
  // Whether it does what `production` does. Blocks.
  virtual Result<std::string> failureOf(const std::string& production, const std::string& artifact) = 0;
  // And how long it takes on the stage, beside it.
  virtual Result<Staged> measure(const std::string& production, const std::string& artifact) = 0;
};

class Pools {
 public:
  virtual ~Pools() = default;
  // Has the pool serve `artifact`, started anew, without losing requests; "" is what production was at first.
  // Idempotent.
  virtual Status deploy(Pool pool, const std::string& artifact) = 0;
  // Ends it, with force if it must. Idempotent.
  virtual Status stop(Pool pool) = 0;
};

// Shares of requests; production has the rest.
struct Shares {
  double control = 0, canary = 0;
  bool operator==(const Shares&) const = default;
};

class Traffic {
 public:
  virtual ~Traffic() = default;
  // Returns once the balancer says that it is so, within what it can express.
  virtual Status set(const Shares& shares) = 0;
  virtual Result<Shares> get() = 0;
};

// Of one pool, since it began.
struct Counters {
  Histogram latency;
  // By the balancer, since that began; as in ArmWindow.
  std::uint64_t errors = 0, redispatches = 0, aborts = 0, tries = 0;
  std::uint64_t failed_checks = 0;                     // of its health
  std::uint64_t falls = 0;                             // times that these took it out of the traffic
  std::uint64_t queued = 0;                            // requests that wait for it at the balancer, now
  bool serves = false;                                 // the balancer gives it requests, now
  std::uint64_t compared = 0, odd = 0, odd_again = 0;  // answers, as in ArmWindow
  bool up = false;
  std::string instance;  // another one: its counters began anew
  double at_s = 0;       // when they were read by whoever tells; the same twice is no news, 0 is only `up`
};

// Nothing of a pool of which nothing is known.
using Figures = std::array<std::optional<Counters>, kPools>;

class Metrics {
 public:
  virtual ~Metrics() = default;
  virtual Result<Figures> read() = 0;
  // Why the last reading has no figures, although there was one: for people. "" if nothing was wrong.
  virtual std::string problem() const { return {}; }
};

// A choice of the policy.
struct Choice {
  std::string candidate;
  double probability = 1;          // with which it was made
  std::string policy;              // version
  std::vector<Option> among = {};  // all that could have been chosen, this one too
  double not_before_s = 0;         // it rests until then, as do all others, for longer
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  // What is to be tried, the bolder the nearer `temperature` is to 1. Nothing if nothing is worth a trial.
  virtual Result<std::optional<Choice>> choose(const std::string& production, double temperature,
                                               double now_s, Rng& rng) = 0;
};

// Whom to tell: people.
class Listener {
 public:
  virtual ~Listener() = default;
  // An experiment is in a new state, for its cause.
  virtual void step(const Experiment& experiment) = 0;
  virtual void event(const std::string& text) = 0;
  // Somebody has to look at it.
  virtual void alert(const std::string& text) = 0;
};

// Has what takes long done while the loop's heart goes on beating.
class Errands {
 public:
  virtual ~Errands() = default;
  struct Done {
    double now_s = 0;         // the time at its end
    bool broken_off = false;  // what came of it says nothing
  };
  // Returns once `work` has. Until then `beat` is called every now and then with the time; after it has said
  // false, or an interrupt, the work is broken off, if it can be.
  virtual Done run(const std::function<void()>& work, const std::function<bool(double now_s)>& beat) = 0;
};

struct World {
  Builder& builder;
  Stage& stage;
  Pools& pools;
  Traffic& traffic;
  Metrics& metrics;
  Chooser& chooser;
  Listener& listener;
  Errands& errands;
};

}  // namespace ordo::loop
