// Each question reads the store anew: it is small, and a controller writes it meanwhile. Figures are those of
// `ordo loop status` and `verdict`, from the same functions; what is drawn besides are quantiles of windows
// with the interval that their counts allow.
#include "web/loop_view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "loop/service/settings.h"
#include "loop/store/store.h"

namespace ordo::web {
namespace {

constexpr std::size_t kPoints = 60;     // of the budget's curve
constexpr std::size_t kWindows = 1000;  // the last ones

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Json orNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// The quantile of what was seen and its 95 % interval, by order statistics: no shape is assumed.
Json armJson(const loop::ArmWindow& arm, double quantile) {
  const auto count = static_cast<double>(arm.latency.count());
  const double reach = count > 0 ? 1.96 * std::sqrt(quantile * (1 - quantile) / count) : 0;
  return {{"requests", arm.latency.count()},
          {"errors", arm.errors},
          {"up", arm.up},
          {"value", orNull(arm.latency.quantile(quantile))},
          {"low", orNull(arm.latency.quantile(std::max(quantile - reach, 0.0)))},
          {"high", orNull(arm.latency.quantile(std::min(quantile + reach, 1.0)))}};
}

Json experimentJson(const loop::Experiment& experiment) {
  return {{"id", experiment.id},
          {"candidate", experiment.candidate},
          {"baseline", experiment.baseline},
          {"probability", experiment.probability},
          {"state", name(experiment.state)},
          {"outcome", experiment.outcome ? Json(name(*experiment.outcome)) : Json(nullptr)},
          {"cause", experiment.cause},
          {"staged", orNull(experiment.staged)},
          {"created_s", experiment.created_s},
          {"reward", nullptr}};
}

class LoopView final : public View {
 public:
  LoopView(std::string title, loop::Settings settings, loop::Store store)
      : title_(std::move(title)), settings_(std::move(settings)), store_(std::move(store)) {}

  std::string_view kind() const override { return "loop"; }
  std::string title() const override { return title_; }
  std::vector<Endpoint> endpoints() override {
    return {{.name = "status", .answer = [this](const Json&) { return status(); }, .get = true},
            {.name = "experiment", .answer = [this](const Json& body) { return experiment(body); }}};
  }

 private:
  Result<Json> status() {
    const std::lock_guard lock(mutex_);
    const double now_s = wallSeconds();
    const loop::GovernorOptions& governor = settings_.loop.governor;
    ORDO_TRY_ASSIGN(const std::string production, store_.production());
    ORDO_TRY_ASSIGN(const auto spent, store_.spending(now_s - governor.period_s * governor.time_scale));
    ORDO_TRY_ASSIGN(const loop::Mode mode, store_.mode());
    ORDO_TRY_ASSIGN(const double until_s, store_.leasedUntil());
    ORDO_TRY_ASSIGN(const loop::Wish wish, store_.wish());
    const loop::Allowance allowance = loop::allow(spent, now_s, mode, governor);
    ORDO_TRY_ASSIGN(Json candidates, candidatesJson(production));
    ORDO_TRY_ASSIGN(Json experiments, experimentsJson());
    return Json{{"production", shown(production)},
                {"controller", until_s > now_s},
                {"paused", wish == loop::Wish::kPause},
                {"budget",
                 {{"mode", name(allowance.mode)},
                  {"why", allowance.why},
                  {"left", allowance.left},
                  {"most_share", allowance.most_share},
                  {"burn_hour", allowance.burn_hour},
                  {"burn_quarter_day", allowance.burn_quarter_day},
                  {"objective", governor.objective},
                  {"curve", budgetCurve(spent, mode)}}},
                {"candidates", std::move(candidates)},
                {"experiments", std::move(experiments)}};
  }

  // [seconds since 1970, what was left of the budget then], oldest first.
  Json budgetCurve(const std::vector<loop::Spending>& spent, loop::Mode mode) const {
    Json curve = Json::array();
    const std::size_t points = std::min(kPoints, spent.size());
    for (std::size_t i = 1; i <= points; ++i) {
      const std::span<const loop::Spending> until(spent.data(), spent.size() * i / points);
      const double at_s = until.back().at_s;
      curve.push_back({at_s, loop::allow(until, at_s, mode, settings_.loop.governor).left});
    }
    return curve;
  }

  Result<Json> candidatesJson(const std::string& production) {
    ORDO_TRY_ASSIGN(const auto rewards, store_.rewards());
    Rng rng(settings_.loop.seed);
    Json list = Json::array();
    for (const loop::Value& value :
         loop::values(settings_.candidates, rewards, settings_.loop.toolchain, settings_.learning, rng)) {
      list.push_back({{"name", shown(value.candidate)},
                      {"value", value.mean},
                      {"deviation", value.deviation},
                      {"best", value.best},
                      {"rewards", value.rewards},
                      {"barred", value.barred},
                      {"production", value.candidate == production}});
    }
    return list;
  }

  Result<Json> experimentsJson() {
    ORDO_TRY_ASSIGN(const std::vector<loop::Experiment> all, store_.experiments());
    ORDO_TRY_ASSIGN(const std::vector<loop::StoredReward> rewards, store_.rewards());
    Json list = Json::array();
    for (const loop::Experiment& experiment : all) {
      Json& one = list.emplace_back(experimentJson(experiment));
      const auto reward = std::ranges::find(rewards, experiment.id, &loop::StoredReward::experiment);
      if (reward == rewards.end()) continue;
      one["reward"] = {{"value", orNull(reward->value)},
                       {"error", orNull(reward->error)},
                       {"censored", reward->censored},
                       {"verdict", name(reward->verdict)},
                       {"why", reward->why}};
    }
    return list;
  }

  Result<Json> experiment(const Json& body) {
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(body, "the body"));
    ORDO_TRY(object.onlyHas({"id"}));
    ORDO_TRY_ASSIGN(const std::string id, object.get<std::string>("id"));
    const std::lock_guard lock(mutex_);
    ORDO_TRY_ASSIGN(const std::vector<loop::Experiment> all, store_.experiments());
    if (std::ranges::find(all, id, &loop::Experiment::id) == all.end())
      return fail(ErrorCode::kNotFound, "the loop has no experiment '{}'", id.substr(0, 60));
    ORDO_TRY_ASSIGN(const std::vector<loop::Transition> transitions, store_.transitions(id));
    ORDO_TRY_ASSIGN(const std::vector<loop::Window> windows, store_.windows(id));
    const double quantile = settings_.loop.reward.quantile;
    Json steps = Json::array(), seen = Json::array();
    for (const loop::Transition& step : transitions)
      steps.push_back({{"to", name(step.to)}, {"cause", step.cause}, {"at_s", step.at_s}});
    for (std::size_t i = windows.size() - std::min(windows.size(), kWindows); i < windows.size(); ++i) {
      const loop::Window& window = windows[i];
      seen.push_back({{"begin_s", window.begin_s},
                      {"end_s", window.end_s},
                      {"share", window.share},
                      {"gap", window.gap},
                      {"control", armJson(window.control, quantile)},
                      {"canary", armJson(window.canary, quantile)}});
    }
    return Json{{"quantile", quantile},
                {"slo_s", settings_.loop.reward.slo_s},
                {"steps", std::move(steps)},
                {"windows", std::move(seen)}};
  }

  std::string shown(const std::string& candidate) const {
    return candidate.empty() ? settings_.production : candidate;
  }

  const std::string title_;
  const loop::Settings settings_;
  std::mutex mutex_;  // guards store_
  loop::Store store_;
};

}  // namespace

Result<std::unique_ptr<View>> openLoop(const std::filesystem::path& settings) {
  ORDO_TRY_ASSIGN(loop::Settings read, loop::loadSettings(settings));
  ORDO_TRY_ASSIGN(loop::Store store, loop::Store::open(read.store));
  return std::make_unique<LoopView>(settings.string(), std::move(read), std::move(store));
}

}  // namespace ordo::web
