#include "loop/service/exposition.h"

#include <array>

namespace ordo::loop {
namespace {

constexpr std::array kOutcomes = {Outcome::kPromoted, Outcome::kRejected,   Outcome::kInconclusive,
                                  Outcome::kVoid,     Outcome::kRolledBack, Outcome::kAborted,
                                  Outcome::kIdentical};
constexpr std::array kModes = {Mode::kExplore, Mode::kCareful, Mode::kExploit};

// As a label's value: the store may have been written by other hands.
std::string valueOf(std::string_view text) {
  std::string value = "\"";
  for (const char c : text) {
    if (c == '\n') {
      value += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') value += '\\';
    value += c;
  }
  return value + "\"";
}

class Text {
 public:
  void head(std::string_view name, std::string_view type, std::string_view help) {
    name_ = fmt::format("ordo_loop_{}", name);
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name_, help, name_, type);
  }
  void value(double value, std::string_view labels = {}) {
    text_ += labels.empty() ? fmt::format("{} {}\n", name_, value)
                            : fmt::format("{}{{{}}} {}\n", name_, labels, value);
  }
  void only(std::string_view name, std::string_view type, std::string_view help, double value) {
    head(name, type, help);
    this->value(value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string name_, text_;
};

Status appendBudget(const Settings& settings, const Store& store, double now_s, Text& text) {
  const GovernorOptions& governor = settings.loop.governor;
  ORDO_TRY_ASSIGN(const std::vector<Spending> spent,
                  store.spending(now_s - governor.period_s * governor.time_scale));
  ORDO_TRY_ASSIGN(const std::vector<Spending> ever, store.spending(0));
  ORDO_TRY_ASSIGN(const Mode last, store.mode());
  const Allowance allowance = allow(spent, now_s, last, governor);
  text.head("mode", "gauge", "How boldly candidates are tried; 1 for the mode that is on.");
  for (const Mode mode : kModes)
    text.value(mode == allowance.mode ? 1 : 0, fmt::format("mode={}", valueOf(name(mode))));
  text.only("budget_remaining_ratio", "gauge",
            "Share of the error budget that is left; negative if overspent.", allowance.left);
  text.head("burn_rate", "gauge", "Times the rate that spends the budget in just its period.");
  text.value(allowance.burn_hour, "window=\"1h\"");
  text.value(allowance.burn_quarter_day, "window=\"6h\"");
  text.only("canary_share_limit_ratio", "gauge", "Share of requests that a canary may get now.",
            allowance.most_share);
  double requests = 0, bad = 0;
  for (const Spending& each : ever) {
    requests += each.requests;
    bad += each.bad;
  }
  text.only("requests_total", "counter", "Requests of the service that the loop has seen.", requests);
  text.only("bad_requests_total", "counter", "Of these, those that violate the objective.", bad);
  return {};
}

Status appendExperiments(const Settings& settings, const Store& store, Text& text) {
  ORDO_TRY_ASSIGN(const std::vector<Experiment> all, store.experiments());
  ORDO_TRY_ASSIGN(const std::optional<Experiment> current, store.current());
  text.head("experiments_total", "counter", "Experiments that are over, by their outcome.");
  for (const Outcome outcome : kOutcomes) {
    double count = 0;
    for (const Experiment& each : all) count += each.outcome == outcome && each.state >= State::kEnded;
    text.value(count, fmt::format("outcome={}", valueOf(name(outcome))));
  }
  text.head("experiment_state", "gauge", "1 for the state of the experiment that is open.");
  double windows = 0, share = 0;
  if (current) {
    text.value(1, fmt::format("experiment={},candidate={},state={}", valueOf(current->id),
                              valueOf(current->candidate), valueOf(name(current->state))));
    ORDO_TRY_ASSIGN(const std::vector<Window> seen, store.windows(current->id));
    windows = static_cast<double>(seen.size());
    if (current->state == State::kObserve && !seen.empty()) share = seen.back().share;
  }
  text.only("experiment_windows", "gauge", "Windows of the experiment that is open.", windows);
  text.only("canary_share_ratio", "gauge", "Share of requests of the canary in the last window.", share);
  ORDO_TRY_ASSIGN(const std::vector<StoredReward> rewards, store.rewards());
  Rng rng(settings.loop.seed);
  const std::vector<Value> known =
      values(settings.candidates, rewards, settings.loop.toolchain, settings.learning, rng);
  const auto each = [&](std::string_view name, std::string_view help, const auto& of) {
    text.head(name, "gauge", help);
    for (const Value& value : known)
      text.value(of(value), fmt::format("candidate={}", valueOf(value.candidate.empty() ? settings.production
                                                                                        : value.candidate)));
  };
  each("candidate_value", "Believed log-ratio of the first production's latency over the candidate's.",
       [](const Value& value) { return value.mean; });
  each("candidate_deviation", "Standard deviation of that belief.",
       [](const Value& value) { return value.deviation; });
  each("candidate_barred", "1 if it did harm and is not tried again.",
       [](const Value& value) { return value.barred ? 1.0 : 0.0; });
  return {};
}

}  // namespace

Result<std::string> metricsText(const Settings& settings, const Store& store, double now_s) {
  Text text;
  ORDO_TRY_ASSIGN(const double until, store.leasedUntil());
  ORDO_TRY_ASSIGN(const Wish wish, store.wish());
  ORDO_TRY_ASSIGN(const std::string production, store.production());
  text.only("controller_running", "gauge", "1 while a controller has the lease.", until > now_s ? 1 : 0);
  text.only("paused", "gauge", "1 while people want no canary.", wish == Wish::kPause ? 1 : 0);
  text.head("production_info", "gauge", "Which candidate production is.");
  text.value(1, fmt::format("candidate={},toolchain={}",
                            valueOf(production.empty() ? settings.production : production),
                            valueOf(settings.loop.toolchain)));
  ORDO_TRY(appendBudget(settings, store, now_s, text));
  ORDO_TRY(appendExperiments(settings, store, text));
  return text.take();
}

Result<Json> verdictOn(const Settings& settings, const Store& store, const std::string& id) {
  Experiment experiment;
  if (id.empty()) {
    ORDO_TRY_ASSIGN(const std::vector<Experiment> all, store.experiments());
    if (all.empty()) return fail(ErrorCode::kNotFound, "there is no experiment yet");
    experiment = all.back();
  } else {
    ORDO_TRY_ASSIGN(experiment, store.experiment(id));
  }
  ORDO_TRY_ASSIGN(const std::vector<StoredReward> rewards, store.rewards());
  ORDO_TRY_ASSIGN(const std::vector<Window> windows, store.windows(experiment.id));
  Json json = {{"experiment", experiment.id},
               {"candidate", experiment.candidate},
               {"baseline", experiment.baseline.empty() ? settings.production : experiment.baseline},
               {"state", name(experiment.state)},
               {"outcome", experiment.outcome ? name(*experiment.outcome) : ""},
               {"verdict", name(Verdict::kPending)},
               {"why", experiment.cause},
               {"reward", nullptr},
               {"error", nullptr},
               {"windows", windows.size()}};
  for (const StoredReward& reward : rewards) {
    if (reward.experiment != experiment.id) continue;
    json["verdict"] = name(reward.verdict);
    json["why"] = reward.why;
    if (reward.value) json["reward"] = *reward.value;
    if (reward.error) json["error"] = *reward.error;
    return json;
  }
  if (windows.empty()) return json;
  const Reward reward = computeReward(windows, settings.loop.reward);
  json["why"] = reward.why;
  if (reward.value) json["reward"] = *reward.value;
  if (reward.error) json["error"] = *reward.error;
  return json;
}

}  // namespace ordo::loop
