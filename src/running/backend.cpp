// A RunningSession passes everything on. Of a step with such observations or a run time it asks the inner
// session for the program and the hash of the state beside the others, so that the step stays one exchange;
// what it observes itself is put between the others, as they were asked for.
#include "running/backend.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "datasets/dataset.h"
#include "datasets/tests.h"
#include "engine/function_program.h"
#include "engine/reach.h"
#include "engine/stock.h"
#include "env/metric.h"
#include "running/observation.h"
#include "support/files.h"

namespace ordo::running {
namespace {

using Values = std::vector<std::int64_t>;

constexpr std::size_t kRemembered = 4096;  // observations

// Whether a build that failed so failed for what was to be built.
bool isItsOwn(ErrorCode code) { return code != ErrorCode::kNotFound && code != ErrorCode::kUnavailable; }

}  // namespace

struct Shared {
  struct Key {
    std::string observation, program;
    Hash128 state;
    auto operator<=>(const Key&) const = default;
  };

  engine::Engine& engine;
  frontend::Level level;
  RunTime run_time;
  std::mutex mutex = {};  // guards what follows
  std::map<Key, Values> known = {};
  std::map<std::pair<std::string, Hash128>, env::Measurement> timed = {};  // by program and state
};

namespace {

class RunningSession final : public env::Session {
 public:
  RunningSession(std::unique_ptr<env::Session> inner, std::shared_ptr<Shared> shared)
      : inner_(std::move(inner)), shared_(std::move(shared)) {}

  const env::SessionSpec& spec() const override { return inner_->spec(); }
  std::span<const env::ActionIndex> history() const override { return inner_->history(); }
  Status reset() override { return inner_->reset(); }
  Result<env::StepOutcome> apply(std::span<const env::ActionIndex> actions) override {
    return inner_->apply(actions);
  }
  Result<std::vector<std::uint8_t>> legalActions() override { return inner_->legalActions(); }
  Result<Hash128> stateHash() override { return inner_->stateHash(); }
  Result<env::Measurement> verify() override { return inner_->verify(); }
  Result<env::Measurement> measure(std::string_view metric) override {
    if (metric != env::kRuntime) return inner_->measure(metric);
    ORDO_TRY(loadProgram("a run time"));
    ORDO_TRY_ASSIGN(const Hash128 state, inner_->stateHash());
    ORDO_TRY_ASSIGN(const env::Observation program, inner_->observe(programName()));
    return timed(state, program.text());
  }
  Result<env::Measurement> estimate(std::string_view metric) override {
    return metric == env::kRuntime ? measure(metric) : inner_->estimate(metric);
  }

  Result<env::Observation> observe(std::string_view observation) override {
    const RunObservationInfo* info = find(observation);
    if (info == nullptr) return inner_->observe(observation);
    ORDO_TRY(getReady(*info));
    ORDO_TRY_ASSIGN(const Hash128 state, inner_->stateHash());
    ORDO_TRY_ASSIGN(const env::Observation program, inner_->observe(programName()));
    values_.resize(1);
    ORDO_TRY_ASSIGN(values_[0], valuesOf(*info, state, program.text()));
    return view(values_[0]);
  }

  Status beginStep(const env::StepRequest& request) override {
    request_ = request;
    wanted_.clear();
    env::StepRequest inner = request;
    std::erase_if(inner.observations, [&](const std::string& name) {
      if (const RunObservationInfo* info = find(name)) wanted_.push_back(info);
      return find(name) != nullptr;
    });
    if (std::erase(inner.metrics, env::kRuntime) == 0 && wanted_.empty()) return inner_->beginStep(request);
    for (const RunObservationInfo* info : wanted_) ORDO_TRY(getReady(*info));
    ORDO_TRY(loadProgram("a run time"));
    inner.observations.push_back(programName());
    inner.hash = true;
    return inner_->beginStep(inner);
  }

  bool stepReady() override { return inner_->stepReady(); }

  Result<env::StepReport> finishStep() override {
    ORDO_TRY_ASSIGN(env::StepReport report, inner_->finishStep());
    const auto runtime = std::ranges::find(request_.metrics, env::kRuntime);
    if (wanted_.empty() && runtime == request_.metrics.end()) return report;
    const Hash128 state = report.hash;
    if (!request_.hash) report.hash = {};
    std::optional<env::Observation> program;
    if (!report.observations.empty()) {
      program = report.observations.back();
      report.observations.pop_back();
    }
    if (runtime != request_.metrics.end()) {
      env::Measurement measurement{env::StepStatus::kRejected, 0, "the program cannot be read"};
      if (program) {
        ORDO_TRY_ASSIGN(measurement, timed(state, program->text()));
      }
      report.measurements.insert(report.measurements.begin() + (runtime - request_.metrics.begin()),
                                 std::move(measurement));
    }
    if (!program) return report;
    values_.resize(wanted_.size());
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      ORDO_TRY_ASSIGN(values_[i], valuesOf(*wanted_[i], state, program->text()));
    }
    std::size_t ours = 0;
    for (std::size_t i = 0; i < request_.observations.size(); ++i) {
      if (find(request_.observations[i]) == nullptr) continue;
      report.observations.insert(report.observations.begin() + static_cast<std::ptrdiff_t>(i),
                                 view(values_[ours++]));
    }
    return report;
  }

  Result<std::unique_ptr<env::Session>> fork() override {
    ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> inner, inner_->fork());
    return std::make_unique<RunningSession>(std::move(inner), shared_);
  }

 private:
  const std::string& programName() const { return shared_->engine.info().program; }

  static env::Observation view(const Values& values) {
    return {DType::kInt64, {static_cast<std::uint32_t>(values.size())}, std::as_bytes(std::span(values))};
  }

  Status getReady(const RunObservationInfo& info) {
    ORDO_TRY(info.available());
    return loadProgram(fmt::format("the observation {}", info.name));
  }

  Status loadProgram(std::string_view what) {
    if (program_) return {};
    if (engine::functionUri(spec().name))
      return fail(ErrorCode::kUnsupported,
                  "{}: {} is of programs that run, and a function does not by itself", spec().name, what);
    ORDO_TRY_ASSIGN(datasets::Program program, datasets::loadProgram(spec().name));
    ORDO_TRY(datasets::checkRuns(program, what));
    program_ = std::move(program);
    return {};
  }

  Result<Values> valuesOf(const RunObservationInfo& info, const Hash128& state, std::string_view bitcode) {
    const Shared::Key key{std::string(info.name), spec().name, state};
    {
      const std::lock_guard lock(shared_->mutex);
      if (const auto found = shared_->known.find(key); found != shared_->known.end()) return found->second;
    }
    ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
    std::filesystem::path executable = dir.path() / "program";
    if (const Status built = build(bitcode, executable); !built) {
      if (!isItsOwn(built.error().code)) return fail(built.error());
      executable.clear();
    }
    ORDO_TRY_ASSIGN(Values values, info.observe(*program_, executable));
    const std::lock_guard lock(shared_->mutex);
    if (shared_->known.size() >= kRemembered) shared_->known.clear();
    return shared_->known.emplace(key, std::move(values)).first->second;
  }

  // The run time of a state, the same whenever it is asked for.
  Result<env::Measurement> timed(const Hash128& state, std::string_view bitcode) {
    const std::pair key{spec().name, state};
    {
      const std::lock_guard lock(shared_->mutex);
      if (const auto found = shared_->timed.find(key); found != shared_->timed.end()) return found->second;
    }
    ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
    const std::filesystem::path executable = dir.path() / "program";
    env::Measurement measurement;
    if (const Status built = build(bitcode, executable); built) {
      ORDO_TRY_ASSIGN(measurement, shared_->run_time.measure(*program_, executable));
    } else if (isItsOwn(built.error().code)) {
      measurement = {env::StepStatus::kRejected, 0, built.error().message};
    } else {
      return fail(built.error());
    }
    const std::lock_guard lock(shared_->mutex);
    if (shared_->timed.size() >= kRemembered) shared_->timed.clear();
    return shared_->timed.emplace(key, std::move(measurement)).first->second;
  }

  Status build(std::string_view bitcode, const std::filesystem::path& out) const {
    std::vector<env::Action> actions;
    for (const env::ActionIndex action : history()) {
      if (action != env::kPipe) actions.push_back(spec().actions[action]);
    }
    const frontend::Source source{program_->source, program_->language, program_->cflags, program_->dir,
                                  program_->more_sources};
    ORDO_TRY_ASSIGN(const std::string whole, engine::compilable(shared_->engine, spec().name, bitcode));
    ORDO_TRY_ASSIGN(const std::string object,
                    frontend::emitObject(whole, shared_->level, engine::emissionSource(source, actions)));
    return frontend::linkExecutable(object, source, program_->ldflags, out);
  }

  std::unique_ptr<env::Session> inner_;
  std::shared_ptr<Shared> shared_;
  std::optional<datasets::Program> program_;  // once it is known that it runs
  env::StepRequest request_;                  // of the step under way
  std::vector<const RunObservationInfo*> wanted_;
  std::vector<Values> values_;  // what our observations look at
};

}  // namespace

RunningBackend::RunningBackend(engine::Engine& engine, frontend::Level level, const RunTimeOptions& run_time)
    : shared_(new Shared{engine, level, RunTime(run_time)}) {}

RunningBackend::~RunningBackend() = default;

Result<env::BackendInfo> RunningBackend::describe() { return withRunObservations(shared_->engine.info()); }

Result<std::unique_ptr<env::Session>> RunningBackend::open(env::SessionSpec spec) {
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> inner, shared_->engine.backend().open(std::move(spec)));
  return std::make_unique<RunningSession>(std::move(inner), shared_);
}

std::uint32_t RunningBackend::activity() const { return shared_->engine.backend().activity(); }

void RunningBackend::awaitActivity(std::uint32_t seen, double seconds, bool spin) {
  shared_->engine.backend().awaitActivity(seen, seconds, spin);
}

}  // namespace ordo::running
