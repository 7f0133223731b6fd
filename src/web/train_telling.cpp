// Any number in a line is a point of a curve of its stage, so that this knows no trainer's words.
#include <algorithm>
#include <cmath>
#include <map>

#include "web/telling.h"

namespace ordo::web {
namespace {

constexpr std::size_t kMostCurves = 40;  // of a stage
constexpr std::size_t kMostStages = 8;
constexpr const char* kSteps[] = {"epoch", "batch", "step"};

struct Stage {
  std::string name, step;  // "practise", "batch"
  std::vector<double> steps;
  std::map<std::string, std::vector<double>> curves;  // as long as `steps`; NaN where nothing was said
};

class TrainTelling final : public Telling {
 public:
  std::string_view kind() const override { return "train"; }

  Status hear(const Json& line, const std::string& where) override {
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(line, where));
    ORDO_TRY_ASSIGN(const std::string stage, object.get<std::string>("stage", "training"));
    if (stage == "begin") {
      ORDO_TRY(object.object("writer"));
      ORDO_TRY_ASSIGN(about_, object.flatWithout({"stage", "writer"}));
      tellsNow(line["writer"]);
      stages_.clear();
      best_ = nullptr;
      goesOn();
    } else if (stage == "end") {
      ORDO_TRY_ASSIGN(std::string failure, object.get<std::string>("failure"));
      ends(std::move(failure));
    } else {
      return hearStep(stage, object, line);
    }
    return {};
  }

  Json told() const override {
    Json stages = Json::array();
    for (const Stage& stage : stages_) {
      const std::vector<std::size_t> chosen = chosenPoints(stage.steps.size());
      const auto pick = [&](const std::vector<double>& from) {
        Json list = Json::array();
        for (const std::size_t i : chosen)
          list.push_back(std::isfinite(from[i]) ? Json(from[i]) : Json(nullptr));
        return list;
      };
      Json curves = Json::array();
      for (const auto& [name, values] : stage.curves)
        curves.push_back({{"name", name}, {"values", pick(values)}});
      stages.push_back({{"name", stage.name},
                        {"step", stage.step},
                        {"count", stage.steps.size()},
                        {"steps", pick(stage.steps)},
                        {"curves", std::move(curves)}});
    }
    return {{"about", about_},
            {"stages", std::move(stages)},
            {"best", best_},
            {"ended", ended()},
            {"failure", failure()}};
  }

 private:
  Status hearStep(const std::string& name, const JsonObject& object, const Json& line) {
    const auto step = std::ranges::find_if(kSteps, [&](const char* word) { return line.contains(word); });
    if (step == std::end(kSteps)) return {};
    ORDO_TRY_ASSIGN(const double at, object.get<double>(*step));
    auto stage = std::ranges::find(stages_, name, &Stage::name);
    if (stage == stages_.end()) {
      if (stages_.size() == kMostStages) return {};
      stage = stages_.insert(stage, {.name = name, .step = *step, .steps = {}, .curves = {}});
    }
    // A training that goes on from a checkpoint says again what came after it.
    while (!stage->steps.empty() && stage->steps.back() >= at) cut(*stage);
    stage->steps.push_back(at);
    for (const auto& [key, value] : line.items()) {
      if (!value.is_number() || key == *step) continue;
      if (!stage->curves.contains(key) && stage->curves.size() == kMostCurves) continue;
      std::vector<double>& curve = stage->curves[key];
      curve.resize(stage->steps.size() - 1, NAN);
      curve.push_back(value.get<double>());
    }
    for (auto& [key, curve] : stage->curves) curve.resize(stage->steps.size(), NAN);
    if (line.value("best", Json(false)) == true) best_ = {{"stage", name}, {"step", at}};
    return {};
  }

  static void cut(Stage& stage) {
    stage.steps.pop_back();
    for (auto& [key, curve] : stage.curves) curve.resize(stage.steps.size());
  }

  Json about_ = Json::object();
  std::vector<Stage> stages_;
  Json best_ = nullptr;
};

}  // namespace

std::unique_ptr<Telling> tellingOfTrain() { return std::make_unique<TrainTelling>(); }

}  // namespace ordo::web
