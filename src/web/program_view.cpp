// A view that rests gives its bench up, with all workers, and makes another when it is asked again; who works
// on one holds it. Trying all actions works on forks of a session of its own, and so needs the bench's mutex
// only to get that.
#include "web/program_view.h"

#include <atomic>

#include "env/metric.h"
#include "web/answers.h"
#include "web/bench.h"

namespace ordo::web {
namespace {

class ProgramView final : public View {
 public:
  ProgramView(ProgramSpec spec, std::shared_ptr<Bench> bench)
      : spec_(std::move(spec)), bench_(std::move(bench)) {}

  std::string_view kind() const override { return "program"; }
  std::string title() const override { return spec_.file; }
  void stop() override { stop_ = true; }
  void rest() override {
    const std::lock_guard lock(mutex_);
    if (bench_.use_count() == 1) bench_.reset();
  }

  std::vector<Endpoint> endpoints() override {
    const auto on = [this](auto work) {
      return [this, work](const Json& body, const auto&... emit) -> Status {
        ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(body, "the body"));
        ORDO_TRY_ASSIGN(const std::shared_ptr<Bench> bench, onBench());
        return (this->*work)(*bench, object, emit...);
      };
    };
    return {{.name = "about", .answer = [this](const Json&) { return about(); }, .get = true},
            {.name = "states", .answer = onSequence(statesAlong)},
            {.name = "why", .answer = onSequence(whyAction)},
            {.name = "functions", .answer = onSequence(listFunctions)},
            {.name = "function", .answer = onSequence(functionText)},
            {.name = "calls", .answer = onSequence(listCalls)},
            {.name = "stock", .answer = onSequence(stockLines)},
            {.name = "try", .stream = on(&ProgramView::tryAll), .check = on(&ProgramView::checkTry)},
            {.name = "search", .stream = on(&ProgramView::search), .check = on(&ProgramView::checkSearch)}};
  }

 private:
  using Answer = Result<Json> (*)(Bench& bench, const search::Sequence& sequence, const JsonObject& body);

  Result<std::shared_ptr<Bench>> onBench() {
    const std::lock_guard lock(mutex_);
    if (bench_ == nullptr) {
      ORDO_TRY_ASSIGN(bench_, Bench::open(spec_));
    }
    return bench_;
  }

  // An endpoint whose body says "actions", and maybe more.
  std::function<Result<Json>(const Json&)> onSequence(Answer answer) {
    return [this, answer](const Json& body) -> Result<Json> {
      ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(body, "the body"));
      ORDO_TRY_ASSIGN(const std::shared_ptr<Bench> bench, onBench());
      ORDO_TRY_ASSIGN(const search::Sequence sequence, readActions(bench->program, object, "actions"));
      const std::lock_guard lock(bench->mutex);
      return answer(*bench, sequence, object);
    };
  }

  Result<Json> about() {
    ORDO_TRY_ASSIGN(const std::shared_ptr<Bench> bench, onBench());
    const std::lock_guard lock(bench->mutex);
    return aboutProgram(*bench, spec_);
  }

  Status search(Bench& bench, const JsonObject& body, const Emit& emit) {
    return bench.search.run(bench.program, body, stop_, emit);
  }

  Status checkSearch(Bench& bench, const JsonObject& body) { return SearchRun::check(bench.program, body); }

  Status checkTry(Bench& bench, const JsonObject& body) {
    ORDO_TRY(body.onlyHas({"actions"}));
    ORDO_TRY_ASSIGN([[maybe_unused]] const search::Sequence sequence,
                    readActions(bench.program, body, "actions"));
    return {};
  }

  Status tryAll(Bench& bench, const JsonObject& body, const Emit& emit) {
    ORDO_TRY_ASSIGN(const search::Sequence sequence, readActions(bench.program, body, "actions"));
    std::unique_ptr<env::Session> session;
    {
      const std::lock_guard lock(bench.mutex);
      ORDO_TRY_ASSIGN(session, bench.states.sessions().take(sequence));
    }
    const Status tried = tryFrom(bench.program, *session, emit);
    const std::lock_guard lock(bench.mutex);
    bench.states.sessions().leave(sequence, std::move(session));
    return tried;
  }

  Status tryFrom(const agent::OpenedProgram& program, env::Session& session, const Emit& emit) {
    ORDO_TRY_ASSIGN(const env::Preference preference, env::parsePreference(program.objective()));
    ORDO_TRY_ASSIGN(const Hash128 here, session.stateHash());
    const std::size_t count = program.actions().size();
    for (env::ActionIndex action = 0; action < count && !stop_; ++action) {
      ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> fork, session.fork());
      env::StepRequest step;
      step.actions = {action};
      step.hash = true;
      step.metrics = {"ir_instructions"};
      step.spin = false;
      ORDO_TRY_ASSIGN(const env::StepReport report, fork->step(step));
      Json result{{"action", program.actions()[action].name}, {"done", action + 1}, {"of", count}};
      env::Measurement value{report.outcome.status, 0, report.outcome.detail};
      if (value.ok()) {
        ORDO_TRY_ASSIGN(value, preference.measure(*fork));
      }
      result["status"] = env::name(value.status);
      if (value.ok()) {
        result["value"] = value.value;
        result["instructions"] = report.measurements.front().value;
        result["changed"] = report.hash != here;
      } else {
        result["detail"] = value.detail;
      }
      if (!emit("tried", result)) return {};
    }
    emit("done", Json::object());
    return {};
  }

  const ProgramSpec spec_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // guards bench_
  std::shared_ptr<Bench> bench_;
};

}  // namespace

Result<std::unique_ptr<View>> openProgram(ProgramSpec spec) {
  ORDO_TRY_ASSIGN(std::shared_ptr<Bench> bench, Bench::open(spec));
  return std::make_unique<ProgramView>(std::move(spec), std::move(bench));
}

Result<ProgramSpec> specOf(recipe::Recipe recipe, const std::string& file) {
  if (recipe.backend != "llvm")
    return fail(ErrorCode::kUnsupported, "the explorer shows recipes of LLVM, and not of {}", recipe.backend);
  ProgramSpec spec;
  spec.file = file.empty() ? recipe.source : file;
  spec.flags = recipe.flags;
  spec.baseline = recipe.baseline;
  spec.space = recipe.space;
  if (recipe.objective != env::kRuntime) spec.objective = recipe.objective;
  for (const env::Action& action : recipe.actions) spec.actions.push_back(action.name);
  spec.recipe = std::move(recipe);
  return spec;
}

}  // namespace ordo::web
