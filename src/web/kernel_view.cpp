// Each state is walked to from the kernel as given, once. A view that rests ends its workers.
#include "web/kernel_view.h"

#include <map>
#include <mutex>

#include "engine/kernel.h"
#include "engine/objective.h"
#include "engine/reach.h"

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

class KernelView final : public View {
 public:
  KernelView(recipe::Recipe recipe, Opened opened) : recipe_(std::move(recipe)), opened_(std::move(opened)) {}

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
    return Json{{"kernel", recipe_.program},     {"source", recipe_.source},
                {"baseline", recipe_.baseline},  {"searcher", recipe_.searcher},
                {"verified", recipe_.verified},  {"stock", recipe_.stock},
                {"figures", std::move(figures)}, {"steps", std::move(steps)}};
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
    return known_[steps] = std::move(state);
  }

  const recipe::Recipe recipe_;
  std::mutex mutex_;  // guards what follows
  std::optional<Opened> opened_;
  std::map<std::int64_t, Json> known_;
};

}  // namespace

Result<std::unique_ptr<View>> openKernel(recipe::Recipe recipe) {
  ORDO_TRY_ASSIGN(Opened opened, open(recipe));
  return std::make_unique<KernelView>(std::move(recipe), std::move(opened));
}

}  // namespace ordo::web
