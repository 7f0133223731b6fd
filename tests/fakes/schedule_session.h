// A second backend, as unlike LLVM as can be: programs are one loop, and all actions are types with
// parameters that are chosen after the type, as those of MLIR's schedules are. Whatever tunes, evaluates or
// learns must take it as it takes LLVM (tests/conformance/backend_test.cpp, python/tests/test_backend.py).
//
// Program: "loop <iterations> tile <t> unroll <u> vector <v>"; as written by people, "loop <iterations>".
// Actions, kind "schedule", text "<what> <number>": tile<8> and so on, of which the last counts.
//   vector<N> is legal only in a tiled loop, and only if N divides the tile.
// Metric: `cycles`, least where the tile is 32, unrolled by 4 and as wide as can be.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "env/session.h"

namespace ordo::fakes {

inline constexpr const char* kScheduleKind = "schedule";

struct Loop {
  std::int64_t iterations = 1, tile = 1, unroll = 1, vector = 1;

  std::string text() const {
    return fmt::format("loop {} tile {} unroll {} vector {}", iterations, tile, unroll, vector);
  }
  double cycles() const {
    const auto off = [](std::int64_t value, double best) {
      return std::abs(std::log2(static_cast<double>(value) / best));
    };
    return static_cast<double>(iterations) * (1 + off(tile, 32) / 4 + off(unroll, 4) / 8) /
           static_cast<double>(vector);
  }

  static std::optional<Loop> parse(std::string_view text) {
    Loop loop;
    const auto field = [&](std::string_view name, std::int64_t& value) {
      if (!text.starts_with(name)) return false;
      const char* const end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(text.data() + name.size(), end, value);
      text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
      return error == std::errc() && value > 0;
    };
    if (!field("loop ", loop.iterations)) return std::nullopt;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    if (text.empty()) return loop;
    const bool whole =
        field(" tile ", loop.tile) && field(" unroll ", loop.unroll) && field(" vector ", loop.vector);
    return whole && text.empty() ? std::optional(loop) : std::nullopt;
  }
};

class ScheduleSession final : public env::Session {
 public:
  ScheduleSession(std::shared_ptr<const env::SessionSpec> spec, const Loop& loop)
      : spec_(std::move(spec)), original_(loop), loop_(loop) {}

  const env::SessionSpec& spec() const override { return *spec_; }
  std::span<const env::ActionIndex> history() const override { return history_; }
  Status reset() override {
    loop_ = original_;
    history_.clear();
    return {};
  }
  Result<env::StepOutcome> apply(std::span<const env::ActionIndex> actions) override {
    env::StepOutcome outcome;
    for (const env::ActionIndex index : actions) {
      if (index != env::kPipe) {
        const Loop before = loop_;
        if (!step(spec_->actions[index], loop_)) {
          loop_ = before;
          outcome.status = env::StepStatus::kRejected;
          outcome.detail = fmt::format("{} is not possible here", spec_->actions[index].name);
          return outcome;
        }
        outcome.changed = outcome.changed || before.text() != loop_.text();
      }
      history_.push_back(index);
      ++outcome.applied;
    }
    return outcome;
  }
  Result<std::vector<std::uint8_t>> legalActions() override {
    std::vector<std::uint8_t> legal;
    for (const env::Action& action : spec_->actions) {
      Loop scratch = loop_;
      legal.push_back(step(action, scratch));
    }
    return legal;
  }
  Result<Hash128> stateHash() override { return hashBytes(loop_.text()); }
  Result<env::Measurement> verify() override { return env::Measurement{}; }
  Result<env::Observation> observe(std::string_view observation) override {
    text_ = loop_.text();
    numbers_ = {loop_.tile, loop_.unroll, loop_.vector};
    if (observation == "loop")
      return env::Observation{
          DType::kBytes, {static_cast<std::uint32_t>(text_.size())}, std::as_bytes(std::span(text_))};
    if (observation == "schedule")
      return env::Observation{DType::kInt64, {3}, std::as_bytes(std::span(numbers_))};
    return fail(ErrorCode::kNotFound, "no observation '{}'", observation);
  }
  Result<env::Measurement> measure(std::string_view metric) override {
    if (metric != "cycles") return fail(ErrorCode::kNotFound, "no metric '{}'", metric);
    return env::Measurement{env::StepStatus::kOk, loop_.cycles(), ""};
  }
  Result<std::unique_ptr<env::Session>> fork() override { return std::make_unique<ScheduleSession>(*this); }

 private:
  // Several steps with commas between them are one action. False if one of them cannot be.
  static bool step(const env::Action& action, Loop& loop) {
    std::string_view text = action.text;
    for (;;) {
      const std::size_t comma = std::min(text.find(','), text.size());
      if (!one(text.substr(0, comma), loop)) return false;
      if (comma == text.size()) return true;
      text.remove_prefix(comma + 1);
    }
  }
  static bool one(std::string_view text, Loop& loop) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return false;
    std::int64_t number = 0;
    std::from_chars(text.data() + space + 1, text.data() + text.size(), number);
    const std::string_view what = text.substr(0, space);
    if (number < 1) return false;
    if (what == "tile" && number % loop.vector == 0)
      loop.tile = number;
    else if (what == "unroll")
      loop.unroll = number;
    else if (what == "vector" && loop.tile > 1 && loop.tile % number == 0)
      loop.vector = number;
    else
      return false;
    return true;
  }

  std::shared_ptr<const env::SessionSpec> spec_;
  Loop original_, loop_;
  std::vector<env::ActionIndex> history_;
  std::string text_;
  std::array<std::int64_t, 3> numbers_{};
};

class ScheduleBackend final : public env::Backend {
 public:
  Result<env::BackendInfo> describe() override {
    env::BackendInfo info;
    info.name = "schedule";
    info.version = "1";
    info.build = "test";
    info.target = "paper";
    info.observations = {
        {"schedule", 1, DType::kInt64, 3, "tile, unroll, vector", 0, false, {"tile", "unroll", "vector"}},
        {"loop", 1, DType::kBytes, 0, "the program"}};
    info.metrics = {{"cycles", "cycles", true, "what the loop takes"}};
    info.program = "loop";
    for (const char* type : {"tile", "unroll", "vector"}) {
      info.transforms.push_back({type, "loop", "a number"});
      for (const int number : {2, 4, 8, 32})
        info.actions.push_back(
            {fmt::format("{}<{}>", type, number), kScheduleKind, fmt::format("{} {}", type, number)});
    }
    info.baselines = {{"usual", kScheduleKind, "tile 8,unroll 2"}, {"none", kScheduleKind, "unroll 1"}};
    return info;
  }

  Result<std::unique_ptr<env::Session>> open(env::SessionSpec spec) override {
    const std::optional<Loop> loop = Loop::parse(spec.program);
    if (!loop) return fail(ErrorCode::kCorrupt, "{} is no loop: '{}'", spec.name, spec.program);
    for (const env::Action& action : spec.actions) {
      if (action.kind != kScheduleKind)
        return fail(ErrorCode::kUnsupported, "{}: an action of the kind '{}'", spec.name, action.kind);
    }
    return std::make_unique<ScheduleSession>(std::make_shared<const env::SessionSpec>(std::move(spec)),
                                             *loop);
  }
};

}  // namespace ordo::fakes
