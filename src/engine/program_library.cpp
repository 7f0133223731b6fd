#include "engine/program_library.h"

#include <algorithm>

#include "datasets/dataset.h"
#include "datasets/tests.h"
#include "engine/function_program.h"
#include "engine/stock.h"
#include "engine/worker_only.h"
#include "env/metric.h"
#include "frontend/ir_reader.h"
#include "frontend/opt.h"
#include "support/text.h"

namespace ordo::engine {
namespace {

// The function of `program` that is called so.
Result<std::string> alone(const std::string& program, std::string_view bitcode, const std::string& function) {
  Result<std::string> taken = frontend::extractFunction(bitcode, function);
  if (!taken) return fail(std::move(taken).error().context(program));
  return taken;
}

}  // namespace

Result<std::unique_ptr<ProgramLibrary>> ProgramLibrary::create(Engine& engine, LibraryOptions options) {
  std::unique_ptr<ProgramLibrary> library(new ProgramLibrary(engine, std::move(options)));
  std::vector<std::string> metrics;
  for (const env::MetricInfo& metric : engine.info().metrics) metrics.push_back(metric.name);
  if (!engine.workerOnly()) {
    for (const env::ExperimentInfo& experiment : env::experiments()) metrics.emplace_back(experiment.name);
  }
  for (const std::string& name : library->options_.values) {
    const std::size_t slash = name.find('/');
    Value value{name, name.substr(0, slash), std::nullopt};
    if (std::find(metrics.begin(), metrics.end(), value.metric) == metrics.end()) {
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("metric", value.metric, metrics));
    }
    const std::string of = slash == std::string::npos ? "" : name.substr(slash + 1);
    if (of != "initial" && engine.workerOnly()) {
      ORDO_TRY_ASSIGN(value.own, ownBaseline(engine.info(), of));
    } else if (of != "initial") {
      ORDO_TRY_ASSIGN(value.baseline, parseBaseline(of));
    }
    library->values_.push_back(std::move(value));
  }
  return library;
}

Result<std::shared_ptr<const env::EpisodeProgram>> ProgramLibrary::load(const std::string& uri) {
  if (const auto found = cache_.find(uri); found != cache_.end()) {
    ages_.splice(ages_.begin(), ages_, found->second.age);
    return found->second.program;
  }
  ORDO_TRY_ASSIGN(std::shared_ptr<const env::EpisodeProgram> program, make(uri));
  cached_bytes_ += program->program.size();
  while (cached_bytes_ > options_.cache_bytes && !ages_.empty()) {
    const auto oldest = cache_.find(ages_.back());
    cached_bytes_ -= oldest->second.program->program.size();
    cache_.erase(oldest);
    ages_.pop_back();
  }
  ages_.push_front(uri);
  cache_.emplace(uri, Entry{program, ages_.begin()});
  return program;
}

Result<const ProgramLibrary::Driver*> ProgramLibrary::driver(const frontend::Source& source,
                                                             frontend::Level level) {
  std::string key = fmt::format("{} {} {}", frontend::name(level), source.language, source.dir.string());
  for (const std::string& flag : source.flags) (key += '\0') += flag;
  const auto known = drivers_.find(key);
  if (known != drivers_.end()) return &known->second;
  Driver driver;
  ORDO_TRY_ASSIGN(driver.pipeline, frontend::capturePipeline(source, level));
  ORDO_TRY_ASSIGN(driver.codegen, frontend::codegenFlags(source, level));
  return &drivers_.emplace(std::move(key), std::move(driver)).first->second;
}

Result<ProgramLibrary::Whole> ProgramLibrary::compile(const std::string& uri) {
  Whole whole;
  ORDO_TRY_ASSIGN(whole.program, datasets::loadProgram(uri));
  const datasets::Program& program = whole.program;
  if (program.kind == datasets::ProgramKind::kKernel) {
    return fail(
        ErrorCode::kUnsupported,
        "{} is a kernel of MLIR, which 'ordo tune' and the environment ordo/Mlir-v0 take and this does "
        "not",
        program.name);
  }
  if (!options_.evaluation) ORDO_TRY(datasets::checkMayLearnFrom(program, "an environment"));
  whole.source = {program.source, program.language, program.cflags, program.dir, program.more_sources};
  whole.ready = std::make_shared<env::EpisodeProgram>();
  whole.ready->uri = uri;
  ORDO_TRY_ASSIGN(frontend::Compiled compiled, frontend::compileToBitcode(whole.source, options_.level));
  whole.ready->program = std::move(compiled.bytes);
  ORDO_TRY_ASSIGN(whole.source, frontend::forItsMachine(std::move(whole.source), whole.ready->program));
  ORDO_TRY_ASSIGN(const Driver* driver, this->driver(whole.source, options_.level));
  whole.ready->settings = settingsOf(driver->codegen, options_.level);
  return whole;
}

Result<ProgramLibrary::Whole*> ProgramLibrary::wholeOf(const std::string& uri) {
  if (whole_ && whole_->ready->uri == uri) return &*whole_;
  ORDO_TRY_ASSIGN(Whole whole, compile(uri));
  const env::EpisodeProgram& ready = *whole.ready;
  ORDO_TRY_ASSIGN(whole.inlined, inlinedProgram(engine_, {uri, ready.program, {}, ready.settings}));
  return &whole_.emplace(std::move(whole));
}

Result<std::vector<std::string>> ProgramLibrary::functions(const std::string& uri) {
  if (engine_.workerOnly())
    return fail(ErrorCode::kUnsupported, "programs of {} have no functions", engine_.info().name);
  ORDO_TRY_ASSIGN(const Whole* whole, wholeOf(uri));
  ORDO_TRY_ASSIGN(std::vector<std::string> names,
                  functionNames(engine_, {uri, whole->inlined, {}, whole->ready->settings}));
  for (std::string& name : names) name = fmt::format("{}#{}", uri, name);
  return names;
}

Result<std::shared_ptr<const env::EpisodeProgram>> ProgramLibrary::make(const std::string& uri) {
  if (engine_.workerOnly()) return read(uri);
  const std::optional<FunctionUri> part = functionUri(uri);
  std::optional<Whole> compiled;
  Whole* whole = nullptr;
  if (part) {
    ORDO_TRY_ASSIGN(whole, wholeOf(part->program));
  } else {
    ORDO_TRY_ASSIGN(compiled, compile(uri));
    whole = &*compiled;
  }
  auto ready = std::make_shared<env::EpisodeProgram>(*whole->ready);
  ready->uri = uri;
  if (part) {
    ORDO_TRY_ASSIGN(ready->program, alone(part->program, whole->inlined, part->function));
  }
  ready->hash = hashBytes(ready->program);
  for (const Value& value : values_) {
    if (env::isExperiment(value.metric)) {
      if (part) return fail(ErrorCode::kUnsupported, "{}: a function does not run by itself", uri);
      ORDO_TRY(datasets::checkRuns(whole->program, fmt::format("the reward {}", value.metric)));
      ready->values[value.name] = 1;
      continue;
    }
    ORDO_TRY_ASSIGN(ready->values[value.name], measureCompiled(whole->source, *ready, value));
  }
  return ready;
}

Result<std::shared_ptr<const env::EpisodeProgram>> ProgramLibrary::read(const std::string& file) {
  ORDO_TRY_ASSIGN(const Input input, readProgram(engine_.info(), file, ""));
  auto ready = std::make_shared<env::EpisodeProgram>();
  ready->uri = file;
  ready->program = input.compiled.bytes;
  ready->hash = hashBytes(ready->program);
  for (const Value& value : values_) {
    env::SessionSpec spec{file, ready->program, {}, ready->settings};
    if (value.own) spec.actions = {*value.own};
    ORDO_TRY_ASSIGN(ready->values[value.name], measure(std::move(spec), value));
  }
  return ready;
}

Result<double> ProgramLibrary::measureCompiled(const frontend::Source& source,
                                               const env::EpisodeProgram& program, const Value& value) {
  env::SessionSpec spec{program.uri, program.program, {}, program.settings};
  if (value.baseline) {
    const frontend::Level level = value.baseline->level;
    ORDO_TRY_ASSIGN(const Driver* driver, this->driver(source, level));
    // Another level inlines other calls, so there its module may not have the function; attributes are most
    // of what else differs.
    const bool is_function = functionUri(program.uri).has_value();
    if (value.baseline->bare || (is_function && level != options_.level)) {
      spec.actions = bareAttributes();
    } else if (level != options_.level) {
      ORDO_TRY_ASSIGN(frontend::Compiled compiled, frontend::compileToBitcode(source, level));
      spec.program = std::move(compiled.bytes);
    }
    spec.actions.push_back(baselineAction(*value.baseline, driver->pipeline));
  }
  return measure(std::move(spec), value);
}

Result<double> ProgramLibrary::measure(env::SessionSpec spec, const Value& value) {
  const std::string name = spec.name;
  std::vector<env::ActionIndex> all(spec.actions.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<env::ActionIndex>(i);
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine_.backend().open(std::move(spec)));
  ORDO_TRY_ASSIGN(const env::StepReport report, session->step({.actions = all, .metrics = {value.metric}}));
  const env::Measurement& measurement = report.measurements[0];
  if (!report.outcome.ok() || !measurement.ok()) {
    // It has to do with the program: the same works on others.
    return fail(ErrorCode::kUnsupported, "{}: {} cannot be measured: {}", name, value.name,
                report.outcome.ok() ? measurement.detail : report.outcome.detail);
  }
  return measurement.value;
}

}  // namespace ordo::engine
