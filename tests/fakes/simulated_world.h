// A service under load that exists in numbers only: pools of instances, a balancer, counters, a builder and a
// stage, on a clock of its own. A month takes seconds, so that the real controller can be tried on many of
// them, with faults that people hope never to see.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "loop/controller/world.h"

namespace ordo::fakes {

// What a program is like: times by those of the first production.
struct SimulatedProgram {
  double time = 1;              // of a request
  double staged = 0;            // log-ratio that the stage finds; the truth if it is 0
  double slow_share = 0;        // of requests that take 50 ms more
  double error_share = 0;       // of requests that fail
  double dropped_share = 0;     // of requests that it dies of: the balancer takes them elsewhere
  double crash_after_s = 1e18;  // of serving
  bool hangs = false;           // it takes requests and never answers
  bool wrong = false;           // it answers otherwise than production
  bool fails_to_start = false;
  std::string same_as = {};  // byte for byte the program of this name
  bool restless = false;     // no two builds are the same
};

struct SimulatedOptions {
  double rate = 200;  // requests a second
  double median_s = 0.01;
  double spread = 0.4;  // of the log of a request's time
  double mood = 0.02;   // of the log of a pool's times, which lasts some ticks
  double rho = 0.6;
  double day = 0.3;  // how much the load of all rises and falls
  unsigned instances = 100;
  double luck = 0;                // of the log of an instance's times, for good
  std::uint64_t most_draws = 40;  // requests that are drawn for each pool and tick; the others are like them
  std::uint64_t seed = 1;
};

class SimulatedWorld final : public loop::Builder,
                             public loop::Stage,
                             public loop::Pools,
                             public loop::Traffic,
                             public loop::Metrics,
                             public loop::Chooser,
                             public loop::Listener,
                             public loop::Errands {
 public:
  explicit SimulatedWorld(const SimulatedOptions& options) : options_(options), rng_(options.seed) {
    programs[""] = {};
    start(loop::Pool::kProduction, "");
  }

  std::map<std::string, SimulatedProgram> programs;
  std::vector<std::string> queue;  // what the chooser gives, one after the other; then nothing
  // Faults; each is asked before the real answer.
  bool metrics_down = false, traffic_down = false, stop_hangs = false, deploy_fails = false, stale = false;
  double scrape_s = 0;  // figures but those of the balancer are as new as that
  bool control_down = false;
  double build_s = 0, deploy_s = 0;  // that these take
  int deploys_to_fail = 0;           // of the canary, from now on
  bool builds_fail = false, stage_fails = false;
  double outage = 0;  // share of everybody's requests that fail
  double rate_factor = 1;
  double skew_s = 0;                                     // of the clock of whoever scrapes
  std::array<double, loop::kPools> bad_neighbour = {};   // log of how much longer requests of a pool take
  std::function<void(const std::string& call)> on_call;  // before each effect; may throw, as a kill does
  std::function<void()> on_beat;                         // while something takes long
  // What is remembered.
  std::vector<std::string> events, alerts;
  double canary_requests = 0, canary_bad = 0, all_requests = 0, lost = 0;
  int deploys = 0;

  double now() const { return now_; }
  double canaryShare() const { return shares_.canary; }
  const std::string& serving(loop::Pool pool) const { return pools_[index(pool)].program; }
  bool running(loop::Pool pool) const { return pools_[index(pool)].running; }
  // As after a restart of the balancer: its file says that the canary gets nothing.
  void restartBalancer() { shares_ = {}; }

  loop::World world() { return {*this, *this, *this, *this, *this, *this, *this, *this}; }

  // Time passes, requests come.
  void pass(double seconds) {
    now_ += seconds;
    const double load = 1 + options_.day * std::sin(2 * std::numbers::pi * now_ / 86400);
    const double requests = options_.rate * rate_factor * load * seconds;
    const std::array<double, loop::kPools> shares = {1 - shares_.control - shares_.canary, shares_.control,
                                                     shares_.canary};
    for (std::size_t i = 0; i < loop::kPools; ++i) serve(i, requests * shares[i], load, seconds);
  }

  Result<loop::Built> build(const std::string& candidate) override {
    call("build");
    if (!take(build_s)) return fail(ErrorCode::kUnavailable, "it was killed");
    if (builds_fail) return loop::Built{.artifact = {}, .hash = {}, .failure = "no space left"};
    const auto program = programs.find(candidate);
    if (program == programs.end())
      return loop::Built{.artifact = {}, .hash = {}, .failure = "no such program"};
    const std::string& same = program->second.same_as;
    std::string hash = same.empty() && !candidate.empty() ? candidate : same;
    if (program->second.restless) hash += std::to_string(builds_++);
    return loop::Built{.artifact = candidate, .hash = hash, .failure = {}};
  }
  Result<std::string> failureOf(const std::string&, const std::string& artifact) override {
    call("verify");
    if (stage_fails) return fail(ErrorCode::kUnavailable, "it cannot be run");
    return programs[artifact].wrong ? std::string("its answers differ from production's") : std::string();
  }
  Result<loop::Staged> measure(const std::string& production, const std::string& artifact) override {
    call("measure");
    const SimulatedProgram& program = programs[artifact];
    const double truth = std::log(programs[production].time / program.time);
    return loop::Staged{.failure = {}, .value = program.staged != 0 ? program.staged : truth, .error = 0.005};
  }
  Status deploy(loop::Pool pool, const std::string& artifact) override {
    call("deploy");
    if (!take(deploy_s)) return fail(ErrorCode::kUnavailable, "it was killed");
    if (pool == loop::Pool::kCanary && deploys_to_fail > 0 && deploys_to_fail-- > 0)
      return fail(ErrorCode::kUnavailable, "it exited with status 1");
    if (deploy_fails || (programs[artifact].fails_to_start && pool != loop::Pool::kProduction))
      return fail(ErrorCode::kUnavailable, "it exited with status 1");
    ++deploys;
    start(pool, artifact);
    return {};
  }
  Status stop(loop::Pool pool) override {
    call("stop");
    if (stop_hangs) return fail(ErrorCode::kUnavailable, "it does not end");
    pools_[index(pool)].running = false;
    return {};
  }
  Status set(const loop::Shares& shares) override {
    call("set");
    if (traffic_down) return fail(ErrorCode::kUnavailable, "the balancer's socket refuses");
    shares_ = shares;
    return {};
  }
  Result<loop::Shares> get() override {
    if (traffic_down) return fail(ErrorCode::kUnavailable, "the balancer's socket refuses");
    return shares_;
  }
  Result<loop::Figures> read() override {
    if (metrics_down) return fail(ErrorCode::kUnavailable, "Prometheus does not answer");
    if (stale) return seen_;
    loop::Figures figures;
    const bool scrapes = now_ >= scraped_s_ + scrape_s;
    if (scrapes) scraped_s_ = now_;
    for (std::size_t i = 0; i < loop::kPools; ++i) {
      if (pools_[i].instance.empty()) continue;
      figures[i] = pools_[i].counters;
      figures[i]->up = pools_[i].running && !pools_[i].crashed && !(i == 1 && control_down);
      figures[i]->instance = pools_[i].instance;
      figures[i]->at_s = now_ + skew_s;
      if (scrapes) continue;
      const loop::Counters last = seen_[i].value_or(loop::Counters{});
      figures[i]->latency = last.latency;
      figures[i]->instance = last.instance;
      figures[i]->at_s = last.at_s;
    }
    return seen_ = figures;
  }
  Result<std::optional<loop::Choice>> choose(const std::string&, double, double, Rng&) override {
    call("choose");
    if (next_ == queue.size()) return std::nullopt;
    return loop::Choice{.candidate = queue[next_++], .probability = 1, .policy = "queue"};
  }
  Done run(const std::function<void()>& work, const std::function<bool(double now_s)>& beat) override {
    beat_ = &beat;
    broken_off_ = false;
    work();
    beat_ = nullptr;
    return {.now_s = now_, .broken_off = broken_off_};
  }
  void step(const loop::Experiment& experiment) override { events.push_back(experiment.cause); }
  void event(const std::string& text) override { events.push_back(text); }
  void alert(const std::string& text) override { alerts.push_back(text); }

 private:
  struct PoolState {
    std::string program = {}, instance = {};
    bool running = false, crashed = false;
    double since_s = 0, mood = 0;
    loop::Counters counters = {};
    std::vector<double> luck = {};
  };

  static std::size_t index(loop::Pool pool) { return static_cast<std::size_t>(pool); }
  void call(const std::string& what) {
    if (on_call) on_call(what);
  }
  double normal() {
    return std::sqrt(-2 * std::log(1 - rng_.uniform())) * std::cos(2 * std::numbers::pi * rng_.uniform());
  }

  // Time passes while something is done; false if it is broken off.
  bool take(double seconds) {
    for (; seconds > 0 && !broken_off_; seconds -= 1) {
      pass(std::min(seconds, 1.0));
      if (on_beat) on_beat();
      broken_off_ = beat_ != nullptr && !(*beat_)(now_);
    }
    return !broken_off_;
  }

  void start(loop::Pool pool, const std::string& program) {
    PoolState& state = pools_[index(pool)];
    state = {.program = program, .instance = std::to_string(++starts_), .running = true, .since_s = now_};
    const unsigned count = pool == loop::Pool::kProduction ? 1 : std::max(1u, options_.instances / 10);
    for (unsigned i = 0; i < count; ++i) state.luck.push_back(std::exp(options_.luck * normal()));
  }

  void serve(std::size_t i, double requests, double load, double seconds) {
    PoolState& pool = pools_[i];
    const SimulatedProgram& program = programs[pool.program];
    pool.mood =
        options_.rho * pool.mood + std::sqrt(1 - options_.rho * options_.rho) * options_.mood * normal();
    const bool canary = i == index(loop::Pool::kCanary);
    if (pool.running && now_ - pool.since_s > program.crash_after_s) pool.crashed = true;
    all_requests += requests;
    if (canary) canary_requests += requests;
    const auto whole = static_cast<std::uint64_t>(requests + rng_.uniform());
    if (whole == 0) return;
    if (!pool.running || pool.crashed || (i == 1 && control_down)) {
      // The balancer takes them to another server, until its checks have seen it.
      pool.counters.redispatches +=
          std::min(whole, static_cast<std::uint64_t>(options_.rate * std::min(seconds, 1.0)));
      return;
    }
    if (program.hangs) {
      lost += requests;
      if (canary) canary_bad += requests;
      return;
    }
    const std::uint64_t draws = std::min(whole, options_.most_draws);
    for (std::uint64_t drawn = 0; drawn < draws; ++drawn) {
      const std::uint64_t like = whole / draws + (drawn < whole % draws ? 1 : 0);
      if (rng_.chance(program.error_share + outage)) {
        pool.counters.errors += like;
        if (canary) canary_bad += static_cast<double>(like);
      }
      if (program.dropped_share > 0 && rng_.chance(program.dropped_share)) {
        pool.counters.redispatches += like;
        continue;
      }
      double time = options_.median_s * load * program.time *
                    std::exp(pool.mood + bad_neighbour[i] + options_.spread * normal()) *
                    pool.luck[rng_.below(pool.luck.size())];
      if (rng_.chance(program.slow_share)) time += 0.05;
      pool.counters.latency.add(time, like);
    }
  }

  const SimulatedOptions options_;
  Rng rng_;
  double now_ = 1e9, scraped_s_ = 0;
  std::array<PoolState, loop::kPools> pools_;
  loop::Shares shares_;
  loop::Figures seen_;
  std::size_t next_ = 0;
  int starts_ = 0, builds_ = 0;
  const std::function<bool(double)>* beat_ = nullptr;
  bool broken_off_ = false;
};

}  // namespace ordo::fakes
