#include <deque>

#include "web/telling.h"

namespace ordo::web {
namespace {

constexpr std::size_t kBest = 8;  // whose actions are told: those found last, which are the best

class TuneTelling final : public Telling {
 public:
  std::string_view kind() const override { return "tune"; }

  Status hear(const Json& line, const std::string& where) override {
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(line, where));
    ORDO_TRY_ASSIGN(const std::string event, object.get<std::string>("event"));
    if (event == "writer") {
      ORDO_TRY(object.object("writer"));
      tellsNow(line["writer"]);
    } else if (event == "begin") {
      return hearBegin(object, line.contains("reference"));
    } else if (event == "best" || event == "progress") {
      ORDO_TRY_ASSIGN(compiles_, object.get<std::int64_t>("compiles"));
      ORDO_TRY_ASSIGN(seconds_, object.get<double>("seconds"));
      if (event == "best") return hearBest(object);
    } else if (event == "end") {
      ORDO_TRY_ASSIGN(std::string failure, object.get<std::string>("failure"));
      ends(std::move(failure));
      if (!line.contains("saves")) return {};
      ORDO_TRY_ASSIGN(const std::vector<JsonObject> saves, object.objects("saves"));
      for (const JsonObject& one : saves) {
        ORDO_TRY_ASSIGN(const std::string action, one.get<std::string>("action"));
        ORDO_TRY_ASSIGN(const double saved, one.get<double>("saves"));
        saves_.push_back({{"action", action}, {"saves", saved}});
      }
    }
    return {};
  }

  Json told() const override {
    Json curve = Json::array(), best = Json::array();
    for (const std::size_t i : chosenPoints(curve_.size()))
      curve.push_back({curve_[i].compiles, curve_[i].seconds, curve_[i].value});
    for (const Json& one : best_) best.push_back(one);
    return {{"program", program_},           {"objective", objective_},
            {"baseline", baseline_},         {"baseline_value", baseline_value_},
            {"reference", reference_},       {"compiles", compiles_},
            {"seconds", seconds_},           {"ended", ended()},
            {"failure", failure()},          {"programs", programs_},
            {"improvements", curve_.size()}, {"curve", std::move(curve)},
            {"best", std::move(best)},       {"saves", saves_}};
  }

 private:
  struct Point {
    std::int64_t compiles = 0;
    double seconds = 0, value = 0;
  };

  Status hearBegin(const JsonObject& line, bool compared) {
    ORDO_TRY_ASSIGN(program_, line.get<std::string>("program"));
    ORDO_TRY_ASSIGN(objective_, line.get<std::string>("objective"));
    ORDO_TRY_ASSIGN(baseline_, line.get<std::string>("baseline"));
    reference_ = nullptr;
    if (compared) {
      ORDO_TRY_ASSIGN(const JsonObject reference, line.object("reference"));
      ORDO_TRY_ASSIGN(const std::string name, reference.get<std::string>("name"));
      ORDO_TRY_ASSIGN(const double value, reference.get<double>("value"));
      reference_ = {{"name", name}, {"value", value}};
    }
    ++programs_;
    compiles_ = 0;
    seconds_ = 0;
    baseline_value_ = nullptr;
    curve_.clear();
    best_.clear();
    saves_ = Json::array();
    goesOn();
    return {};
  }

  Status hearBest(const JsonObject& line) {
    ORDO_TRY_ASSIGN(const double value, line.get<double>("value"));
    ORDO_TRY_ASSIGN(const std::vector<std::string> actions, line.get<std::vector<std::string>>("actions"));
    ORDO_TRY_ASSIGN(const double baseline, line.get<double>("baseline", 0));
    if (baseline > 0) baseline_value_ = baseline;
    curve_.push_back({compiles_, seconds_, value});
    best_.push_back({{"compiles", compiles_}, {"seconds", seconds_}, {"value", value}, {"actions", actions}});
    if (best_.size() > kBest) best_.pop_front();
    return {};
  }

  std::string program_, objective_, baseline_;
  Json baseline_value_ = nullptr, reference_ = nullptr;
  std::int64_t compiles_ = 0;
  double seconds_ = 0;
  int programs_ = 0;
  std::vector<Point> curve_;
  std::deque<Json> best_;
  Json saves_ = Json::array();
};

}  // namespace

std::unique_ptr<Telling> tellingOfTune() { return std::make_unique<TuneTelling>(); }

}  // namespace ordo::web
