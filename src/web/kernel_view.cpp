// Each state is walked to from the kernel as given, once. A view that rests ends its workers.
#include "web/kernel_view.h"

#include <array>
#include <map>
#include <mutex>

#include "engine/kernel.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "support/files.h"
#include "web/telling.h"

namespace ordo::web {
namespace {

// A worker with the kernel in it.
struct Opened {
  std::unique_ptr<engine::Engine> engine;
  engine::Input input;
};

Result<Opened> open(const recipe::Recipe& recipe) {
  Opened opened;
  ORDO_TRY_ASSIGN(opened.engine, engine::startForKernels());
  ORDO_TRY_ASSIGN(opened.input, engine::readKernel(*opened.engine, recipe.source, recipe.baseline));
  return opened;
}

Result<Json> measured(env::Session& session, std::string_view metric) {
  ORDO_TRY_ASSIGN(const env::Measurement measurement, session.measure(metric));
  return measurement.ok() ? Json(measurement.value) : Json(nullptr);
}

// The sizes of the caches that there are, from the smallest.
Result<Json> cachesOf(env::Session& session) {
  ORDO_TRY_ASSIGN(const env::Observation machine, session.observe("machine"));
  const auto numbers = machine.int64s();  // registers, lanes, then the caches
  Json caches = Json::array();
  constexpr std::array kNames = {"L1d", "L2", "L3"};
  for (std::size_t i = 0; i < kNames.size() && i + 2 < numbers.size(); ++i)
    if (numbers[i + 2] > 0) caches.push_back({{"name", kNames[i]}, {"bytes", numbers[i + 2]}});
  return caches;
}

Result<Json> tilesOf(env::Session& session) {
  ORDO_TRY_ASSIGN(const std::string text, engine::observedText(session, "tiles"));
  return parseJson(text, "the tiles");
}

Result<Json> candidateOf(const JsonObject& line, const Json& raw) {
  Json one;
  ORDO_TRY_ASSIGN(one["number"], line.get<std::int64_t>("number"));
  ORDO_TRY_ASSIGN(one["seconds"], line.get<double>("seconds"));
  one["time_ns"] = nullptr;
  if (!raw.contains("time_ns") || !raw["time_ns"].is_null()) {
    ORDO_TRY_ASSIGN(one["time_ns"], line.get<double>("time_ns"));
  }
  ORDO_TRY_ASSIGN(one["problem"], line.get<std::string>("problem"));
  ORDO_TRY_ASSIGN(one["steps"], line.get<std::vector<std::string>>("steps"));
  return one;
}

class KernelView final : public View {
 public:
  KernelView(recipe::Recipe recipe, Json candidates, Opened opened)
      : recipe_(std::move(recipe)), candidates_(std::move(candidates)), opened_(std::move(opened)) {}

  std::string_view kind() const override { return "kernel"; }
  std::string title() const override { return recipe_.source; }
  void rest() override {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) opened_.reset();
  }
  std::vector<Endpoint> endpoints() override {
    return {{.name = "about", .answer = [this](const Json&) { return about(); }, .get = true},
            {.name = "state", .answer = [this](const Json& body) { return state(body); }}};
  }

 private:
  Result<Json> about() const {
    Json steps = Json::array(), figures = Json::array();
    for (const env::Action& action : recipe_.actions)
      steps.push_back({{"name", action.name}, {"saves", nullptr}});
    for (const recipe::Reason& reason : recipe_.reasons)
      steps.at(static_cast<std::size_t>(reason.action))["saves"] = reason.saves;
    for (const recipe::Figure& figure : recipe_.figures)
      figures.push_back({{"metric", figure.metric}, {"baseline", figure.baseline}, {"tuned", figure.tuned}});
    return Json{
        {"kernel", recipe_.program},     {"source", recipe_.source},     {"baseline", recipe_.baseline},
        {"searcher", recipe_.searcher},  {"verified", recipe_.verified}, {"stock", recipe_.stock},
        {"figures", std::move(figures)}, {"steps", std::move(steps)},    {"candidates", candidates_}};
  }

  Result<Json> state(const Json& body) {
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(body, "the body"));
    ORDO_TRY(object.onlyHas({"steps"}));
    ORDO_TRY_ASSIGN(const std::int64_t steps, object.get<std::int64_t>("steps"));
    if (steps < 0 || static_cast<std::size_t>(steps) > recipe_.actions.size())
      return fail(ErrorCode::kInvalidArgument, "the schedule has {} steps, and not {}",
                  recipe_.actions.size(), steps);
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(steps);
    if (known != known_.end()) return known->second;
    if (!opened_) {
      ORDO_TRY_ASSIGN(opened_, open(recipe_));
    }
    const std::vector<env::Action> actions(recipe_.actions.begin(), recipe_.actions.begin() + steps);
    ORDO_TRY_ASSIGN(const auto session,
                    engine::walk(*opened_->engine, opened_->input, opened_->input.compiled.bytes, actions));
    Json state;
    ORDO_TRY_ASSIGN(state["ir"], engine::observedText(*session, "ir"));
    ORDO_TRY_ASSIGN(state["schedule"], engine::observedText(*session, "schedule"));
    ORDO_TRY_ASSIGN(state["cost"], measured(*session, "cost"));
    ORDO_TRY_ASSIGN(state["time_ns"], measured(*session, engine::kKernelTime));
    ORDO_TRY_ASSIGN(state["operations"], tilesOf(*session));
    ORDO_TRY_ASSIGN(state["caches"], cachesOf(*session));
    return known_[steps] = std::move(state);
  }

  const recipe::Recipe recipe_;
  const Json candidates_;
  std::mutex mutex_;  // guards what follows
  std::optional<Opened> opened_;
  std::map<std::int64_t, Json> known_;
};

}  // namespace

Result<Json> readCandidates(const std::filesystem::path& file, const recipe::Recipe& recipe) {
  constexpr std::string_view kEnd = ".ordo.json";
  const std::string name = file.string();
  if (!name.ends_with(kEnd)) return Json(nullptr);
  const std::string beside = name.substr(0, name.size() - kEnd.size()) + ".candidates.json";
  std::error_code none;
  if (!std::filesystem::is_regular_file(beside, none)) return Json(nullptr);
  ORDO_TRY_ASSIGN(const std::string text, readFile(beside));
  ORDO_TRY_ASSIGN(const Json document, parseJson(text, beside));
  ORDO_TRY_ASSIGN(const JsonObject root, JsonObject::of(document, beside));
  ORDO_TRY_ASSIGN(const std::string result, root.get<std::string>("result"));
  if (result != recipe.result_hash.hex()) return Json(nullptr);
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> lines, root.objects("candidates"));
  Json candidates = Json::array();
  for (const std::size_t i : chosenPoints(lines.size())) {
    ORDO_TRY_ASSIGN(Json one, candidateOf(lines[i], document["candidates"][i]));
    candidates.push_back(std::move(one));
  }
  return candidates;
}

Result<std::unique_ptr<View>> openKernel(recipe::Recipe recipe, Json candidates) {
  ORDO_TRY_ASSIGN(Opened opened, open(recipe));
  return std::make_unique<KernelView>(std::move(recipe), std::move(candidates), std::move(opened));
}

}  // namespace ordo::web
