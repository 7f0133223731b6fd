// A backend whose programs are counters: everything above env/session.h is tested against it in
// milliseconds, with no compiler.
//
// Program: "toy <count> seed <seed>", optionally followed by " enabled" (what `text` observes).
// Actions, by Action::text; several joined by commas are one composite action:
//   noop, dec, inc           add 0, -1 or +1 to the count, which never falls below 1
//   dec-if-even              takes 2 off an even count
//   halve-if-multiple-of-4   halves a multiple of 4
//   enable                   costs 1 once; afterwards both decs take three times as much (synergy)
//   break, export            the program fails verification; its exports are changed
//   reject                   not for this backend: illegal, and kRejected if applied all the same
//   crash, hang, leak        abort, loop for ever, allocate without bound (see ToyFailures)
//   brittle                  as noop when a backend sees it first, from then on as crash
//   poison                   harmless until the program is measured, which crashes
//   -<name>=<number>         (kToySetting) what is measured from then on is so much less; no step sees it
// Metrics: `count`, and `cost`: about ten times the count, blurred by a hash of the state so that
// two programs may rank the other way round, and as slow as ToyOptions::cost_s says.
//   `ir_instructions` is the count, too, and `text_bytes` the same as `count`. `runtime`, of an experiment,
//   is a hundredth of it.
// Observations: `counters` = int64[4] {count, enabled, broken, exported}, `text` = the program; `autophase`
//   and `ir2vec`, as wide as LLVM's, of which only TotalInsts, the count, is not 0; `linkage`, LLVM's of one
//   function, which is external, or linkonce where it is enabled; `unwind_tables`, where it has an entry;
//   `target_triple`, which is no machine's.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "env/session.h"

namespace ordo::fakes {

// The kinds of its actions, called as LLVM calls its own: what probes a space of LLVM can probe it.
inline constexpr const char* kToyStep = "pipeline";
inline constexpr const char* kToySetting = "codegen";

// What a failing action does: the real thing, for tests that host the toy in a worker process, or
// what an isolated session would report about that worker.
enum class ToyFailures { kReal, kReported };

struct ToyOptions {
  ToyFailures failures = ToyFailures::kReported;
  double pass_s = 0;                     // busy time of one action
  double cost_s = 0;                     // busy time of measuring `cost`
  std::function<void()> on_action = {};  // called before each; from any thread
  std::int64_t fork_error = 0;           // a fork of anything but the original is wrong by this much
};

// What all sessions of one backend did, for tests about caches.
struct ToyCounters {
  std::atomic<std::uint64_t> opens{0}, resets{0}, forks{0}, passes{0}, measurements{0};
  std::atomic<bool> brittle{false};  // the action was seen
  std::atomic<int> ill{0};           // so many of the next measurements fail, whatever the state
};

struct ToyState {
  std::int64_t count = 1;
  std::int64_t seed = 0;
  bool enabled = false, broken = false, exported = false, poisoned = false;
  std::map<std::string, std::int64_t> chosen = {};  // what the code generator's choices save

  // The program, followed by what its text does not show: equal strings are equal states.
  std::string text() const { return fmt::format("toy {} seed {}{}", count, seed, enabled ? " enabled" : ""); }
  std::string identity() const {
    std::string result = fmt::format("{} {}{}{}", text(), broken, exported, poisoned);
    for (const auto& [name, saved] : chosen) result += fmt::format(" {}={}", name, saved);
    return result;
  }

  static std::optional<ToyState> parse(std::string_view text) {
    ToyState state;
    auto word = [&](std::string_view expected) {
      if (!text.starts_with(expected)) return false;
      text.remove_prefix(expected.size());
      return true;
    };
    auto number = [&](std::int64_t& value) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
      return error == std::errc{} && value >= 0;
    };
    if (!word("toy ") || !number(state.count) || !word(" seed ") || !number(state.seed)) return std::nullopt;
    state.enabled = word(" enabled");
    if (!text.empty() || state.count < 1) return std::nullopt;
    return state;
  }
};

class ToySession final : public env::Session {
 public:
  ToySession(std::shared_ptr<const env::SessionSpec> spec, ToyState original, ToyOptions options,
             std::shared_ptr<ToyCounters> counters)
      : spec_(std::move(spec)),
        original_(original),
        state_(original),
        options_(options),
        counters_(std::move(counters)) {}

  const env::SessionSpec& spec() const override { return *spec_; }
  std::span<const env::ActionIndex> history() const override { return history_; }

  Status reset() override {
    ++counters_->resets;
    state_ = original_;
    history_.clear();
    return {};
  }

  Result<env::StepOutcome> apply(std::span<const env::ActionIndex> actions) override {
    env::StepOutcome outcome;
    const std::string before = state_.identity();
    for (const env::ActionIndex index : actions) {
      ORDO_CHECK(index < spec_->actions.size(), "action {} of {}", index, spec_->actions.size());
      const ToyState saved = state_;
      outcome.status = applyAction(spec_->actions[index]);
      if (!outcome.ok()) {
        state_ = saved;
        outcome.detail = fmt::format("{}: {}", spec_->actions[index].name, env::name(outcome.status));
        break;
      }
      history_.push_back(index);
      ++outcome.applied;
    }
    outcome.changed = state_.identity() != before;
    return outcome;
  }

  Result<std::vector<std::uint8_t>> legalActions() override {
    std::vector<std::uint8_t> legal;
    for (const env::Action& action : spec_->actions) {
      ToyState scratch;
      bool known = action.kind == kToyStep;
      if (action.kind == kToySetting) {
        legal.push_back(1);
        continue;
      }
      forEachStep(action.text, [&](std::string_view step) {
        known = known && (isFatal(step) || step == "poison" || transform(step, scratch));
      });
      legal.push_back(known);
    }
    return legal;
  }

  Result<Hash128> stateHash() override { return hashBytes(state_.identity()); }

  Result<env::Measurement> verify() override {
    if (state_.broken) return env::Measurement{env::StepStatus::kVerifierFailed, 0, "broken"};
    if (state_.exported) return env::Measurement{env::StepStatus::kExportsChanged, 0, "gained @extra"};
    return env::Measurement{};
  }

  Result<env::Observation> observe(std::string_view observation) override {
    if (observation == "fragile" && state_.poisoned) {
      if (options_.failures == ToyFailures::kReal) std::abort();
      return fail(ErrorCode::kCorrupt, "poisoned");
    }
    if (observation == "counters" || observation == "fragile") {
      const std::array<std::int64_t, 4> counters{state_.count, state_.enabled, state_.broken,
                                                 state_.exported};
      buffer_.assign(reinterpret_cast<const char*>(counters.data()), sizeof(counters));
      return env::Observation{DType::kInt64, {4}, bytes()};
    }
    if (observation == "autophase") {
      std::array<std::int64_t, 56> counts{};
      counts[51] = state_.count;
      buffer_.assign(reinterpret_cast<const char*>(counts.data()), sizeof(counts));
      return env::Observation{DType::kInt64, {56}, bytes()};
    }
    if (observation == "ir2vec") {
      buffer_.assign(64 * sizeof(float), '\0');
      return env::Observation{DType::kFloat32, {64}, bytes()};
    }
    if (observation == "linkage") {
      const std::array<std::int64_t, 6> functions{0, !state_.enabled, 0, state_.enabled, 0, 0};
      buffer_.assign(reinterpret_cast<const char*>(functions.data()), sizeof(functions));
      return env::Observation{DType::kInt64, {6}, bytes()};
    }
    if (observation == "unwind_tables") {
      const std::array<std::int64_t, 2> functions{1, 0};
      buffer_.assign(reinterpret_cast<const char*>(functions.data()), sizeof(functions));
      return env::Observation{DType::kInt64, {2}, bytes()};
    }
    if (observation == "target_triple") {
      buffer_ = "counter";
      return env::Observation{DType::kBytes, {static_cast<std::uint32_t>(buffer_.size())}, bytes()};
    }
    if (observation == "text") {
      buffer_ = state_.text();
      return env::Observation{DType::kBytes, {static_cast<std::uint32_t>(buffer_.size())}, bytes()};
    }
    return fail(ErrorCode::kNotFound, "no observation '{}'", observation);
  }

  Result<env::Measurement> measure(std::string_view metric) override {
    if (metric != "count" && metric != "ir_instructions" && metric != "text_bytes" && metric != "cost" &&
        metric != "runtime")
      return fail(ErrorCode::kNotFound, "no metric '{}'", metric);
    ++counters_->measurements;
    if (counters_->ill > 0) {
      --counters_->ill;
      return env::Measurement{env::StepStatus::kCrashed, 0, "ill"};
    }
    if (state_.poisoned) {
      if (options_.failures == ToyFailures::kReal) std::abort();
      return env::Measurement{env::StepStatus::kCrashed, 0, "poisoned"};
    }
    auto verified = verify();
    if (!verified->ok()) return verified;
    auto count = static_cast<double>(state_.count);
    if (metric != "ir_instructions")
      for (const auto& [name, saved] : state_.chosen) count -= static_cast<double>(saved);
    if (metric == "runtime") return env::Measurement{env::StepStatus::kOk, count / 100, ""};
    if (metric != "cost") return env::Measurement{env::StepStatus::kOk, count, ""};
    spend(options_.cost_s);
    const auto blur = static_cast<double>(hashBytes(state_.identity()).low % 21);
    return env::Measurement{env::StepStatus::kOk, 10 * count + blur, ""};
  }

  Result<std::unique_ptr<env::Session>> fork() override {
    ++counters_->forks;
    auto copy = std::make_unique<ToySession>(spec_, original_, options_, counters_);
    copy->state_ = state_;
    copy->history_ = history_;
    if (!history_.empty()) copy->state_.count = std::max<std::int64_t>(1, state_.count + options_.fork_error);
    return copy;
  }

 private:
  template <typename Function>
  static void forEachStep(std::string_view text, Function function) {
    for (std::size_t comma = 0; comma != std::string_view::npos; text.remove_prefix(comma + 1)) {
      comma = text.find(',');
      function(text.substr(0, comma));
      if (comma == std::string_view::npos) return;
    }
  }

  static bool isFatal(std::string_view step) { return step == "crash" || step == "hang" || step == "leak"; }

  // The deterministic part: false if there is no such step.
  static bool transform(std::string_view step, ToyState& state) {
    const std::int64_t strength = state.enabled ? 3 : 1;
    if (step == "noop") {
    } else if (step == "dec") {
      state.count -= strength;
    } else if (step == "inc") {
      state.count += 1;
    } else if (step == "dec-if-even") {
      if (state.count % 2 == 0) state.count -= 2 * strength;
    } else if (step == "halve-if-multiple-of-4") {
      if (state.count % 4 == 0) state.count /= 2;
    } else if (step == "enable") {
      if (!state.enabled) state.count += 1;
      state.enabled = true;
    } else if (step == "break") {
      state.broken = true;
    } else if (step == "export") {
      state.exported = true;
    } else {
      return false;
    }
    state.count = std::max<std::int64_t>(state.count, 1);
    return true;
  }

  env::StepStatus applyAction(const env::Action& action) {
    if (action.kind == kToySetting) {
      const std::size_t equals = action.text.find('=');
      state_.chosen[action.text.substr(0, equals)] = std::stoll(action.text.substr(equals + 1));
      return env::StepStatus::kOk;
    }
    if (action.kind != kToyStep) return env::StepStatus::kRejected;
    env::StepStatus status = env::StepStatus::kOk;
    forEachStep(action.text, [&](std::string_view step) {
      if (status != env::StepStatus::kOk) return;
      ++counters_->passes;
      spend(options_.pass_s);
      if (options_.on_action) options_.on_action();
      if (isFatal(step)) {
        status = die(step);
      } else if (step == "brittle") {
        if (counters_->brittle.exchange(true)) status = die("crash");
      } else if (step == "poison") {
        state_.poisoned = true;
      } else if (!transform(step, state_)) {
        status = env::StepStatus::kRejected;
      }
    });
    return status;
  }

  env::StepStatus die(std::string_view how) {
    const bool real = options_.failures == ToyFailures::kReal;
    if (how == "crash") {
      if (real) std::abort();
      return env::StepStatus::kCrashed;
    }
    if (how == "hang") {
      for (volatile bool forever = real; forever;) continue;
      return env::StepStatus::kTimedOut;
    }
    while (real) {
      // Touched, because memory that nobody writes to costs nothing; kept where the optimiser cannot look.
      char* volatile block = new char[1 << 20];
      std::memset(block, 1, 1 << 20);
    }
    return env::StepStatus::kOutOfMemory;
  }

  static void spend(double seconds) {
    using Steady = std::chrono::steady_clock;
    if (seconds <= 0) return;
    const auto end = Steady::now() + std::chrono::duration<double>(seconds);
    while (Steady::now() < end) continue;
  }

  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(buffer_)); }

  std::shared_ptr<const env::SessionSpec> spec_;
  ToyState original_;
  ToyState state_;
  ToyOptions options_;
  std::shared_ptr<ToyCounters> counters_;
  std::vector<env::ActionIndex> history_;
  std::string buffer_;  // what the last Observation looks at
};

class ToyBackend final : public env::Backend {
 public:
  explicit ToyBackend(ToyOptions options = {}) : options_(options) {}

  const ToyCounters& counters() const { return *counters_; }
  void failMeasurements(int count) { counters_->ill = count; }

  Result<env::BackendInfo> describe() override {
    env::BackendInfo info;
    info.name = "toy";
    info.version = "1";
    info.target = "counter";
    info.observations = {{"counters",
                          1,
                          DType::kInt64,
                          4,
                          "count, enabled, broken, exported",
                          0,
                          false,
                          {"count", "enabled", "broken", "exported"}},
                         {"fragile", 1, DType::kInt64, 4, "the same, fatal after poison"},
                         {"text", 1, DType::kBytes, 0, "the program"}};
    info.metrics = {{"count", "units", true, "the count"},
                    {"cost", "units", true, "ten times the count, blurred"}};
    for (const char* step : {"noop", "dec", "inc", "dec-if-even", "halve-if-multiple-of-4", "enable"}) {
      info.transforms.push_back({step, "counter", ""});
    }
    return info;
  }

  Result<std::unique_ptr<env::Session>> open(env::SessionSpec spec) override {
    const auto state = ToyState::parse(spec.program);
    if (!state) return fail(ErrorCode::kCorrupt, "{}: not a toy program: '{}'", spec.name, spec.program);
    ++counters_->opens;
    return std::make_unique<ToySession>(std::make_shared<const env::SessionSpec>(std::move(spec)), *state,
                                        options_, counters_);
  }

 private:
  ToyOptions options_;
  std::shared_ptr<ToyCounters> counters_ = std::make_shared<ToyCounters>();
};

// Every text is its own name, except that "name=text" gives a name to a composite. With a - before it, it is
// a choice of the code generator.
inline env::SessionSpec toySpec(std::int64_t count, const std::vector<std::string>& actions,
                                std::int64_t seed = 7) {
  env::SessionSpec spec{"toy", fmt::format("toy {} seed {}", count, seed), {}, {}};
  for (const std::string& action : actions) {
    if (action.starts_with('-')) {
      spec.actions.push_back({fmt::format("codegen<{}>", action.substr(1)), kToySetting, action});
      continue;
    }
    const std::size_t equals = action.find('=');
    const std::string text = equals == std::string::npos ? action : action.substr(equals + 1);
    spec.actions.push_back({action.substr(0, equals), kToyStep, text});
  }
  return spec;
}

// What a healthy space and a hostile one look like.
inline const std::vector<std::string> kToyActions{
    "noop", "dec", "inc", "dec-if-even", "halve-if-multiple-of-4", "enable"};
inline const std::vector<std::string> kToyFailures{"break", "export", "reject", "crash",
                                                   "hang",  "leak",   "poison"};

}  // namespace ordo::fakes
