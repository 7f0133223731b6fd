// A runner of random numbers on a clock of its own: a program of 0.1 s on a machine with the noise one asks
// for.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "support/clock.h"
#include "tests/unit/timing/normal.h"
#include "timing/runner.h"

namespace ordo::timing {

class FakeClock final : public Clock {
 public:
  double seconds() const override { return now_s; }
  double now_s = 0;
};

struct Machine {
  double base_s = 0.1;
  std::array<double, kArms> factor{1, 1, 1};  // of each arm's time
  double jitter = 0.01;                       // mean of what each run takes longer, as a share: exponential
  double outliers = 0.05;                     // share of runs that take up to half as long again
  double wander = 0.02;                       // of a load that comes and goes: its standard deviation,
  double memory = 0.98;                       // and how much of it one run leaves to the next
  double drift_per_s = 0;                     // by which everything gets slower
  double others = 0.1;
};

class FakeRunner final : public Runner {
 public:
  FakeRunner(const Machine& machine, std::uint64_t seed) : machine_(machine), rng_(seed) {}

  Result<Reading> run(Arm arm) override {
    order.push_back(arm);
    const auto index = static_cast<std::size_t>(arm);
    wander_ = machine_.memory * wander_ + std::sqrt(1 - machine_.memory * machine_.memory) * normal(rng_);
    double time = machine_.base_s * machine_.factor[index] * std::exp(machine_.wander * wander_) *
                  std::exp(machine_.drift_per_s * clock.now_s);
    time *= 1 - machine_.jitter * std::log(1 - rng_.uniform());
    if (rng_.chance(machine_.outliers)) time *= 1 + 0.5 * rng_.uniform();
    clock.now_s += time;
    Reading reading;
    reading.cpu_s = reading.wall_s = time;
    reading.user_s = 0.9 * time;
    if (order.size() == fail_at) reading.failure = "exited with status 1";
    return reading;
  }
  double othersShare() override { return machine_.others; }
  std::string countersProblem() const override { return "there are none"; }

  void setFactor(Arm arm, double factor) { machine_.factor[static_cast<std::size_t>(arm)] = factor; }

  FakeClock clock;
  std::vector<Arm> order;
  std::size_t fail_at = 0;  // the run that fails, counted from 1

 private:
  Machine machine_;
  Rng rng_;
  double wander_ = 0;
};

}  // namespace ordo::timing
