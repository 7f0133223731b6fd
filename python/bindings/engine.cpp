#include <mutex>

#include "datasets/dataset.h"
#include "engine/program_library.h"
#include "python/bindings/bindings.h"
#include "support/files.h"

namespace ordo::python {
namespace {

std::shared_ptr<Engine> start(const std::string& prefix, std::uint64_t memory_mib, double step_seconds,
                              bool remember_crashes, const std::string& worker) {
  static std::once_flag once;
  std::call_once(once, [&] { setInstallPrefix(prefix); });
  engine::EngineOptions options;
  options.limits.memory_bytes = memory_mib << 20;
  options.limits.cpu_s = options.limits.wall_s = step_seconds;
  options.remember_crashes = remember_crashes;
  options.worker = worker;
  Result<std::unique_ptr<engine::Engine>> engine = fail(ErrorCode::kInternal, "not started");
  {
    const nb::gil_scoped_release free;
    engine = engine::Engine::start(options);
  }
  auto shared = std::make_shared<Engine>();
  shared->engine = value(std::move(engine));
  return shared;
}

nb::dict info(const Engine& engine) {
  const env::BackendInfo& what = engine.engine->info();
  nb::dict result;
  result["backend"] = what.name;
  result["version"] = what.version;
  result["target"] = what.target;
  nb::list metrics;
  for (const env::MetricInfo& metric : what.metrics) {
    nb::dict one;
    one["name"] = metric.name;
    one["unit"] = metric.unit;
    one["deterministic"] = metric.deterministic;
    one["summary"] = metric.summary;
    metrics.append(one);
  }
  result["metrics"] = metrics;
  result["ledger_problem"] = engine.engine->ledgerProblem();
  return result;
}

nb::dict stats(const Engine& engine) {
  const env::IsolationStats counts = engine.engine->backend().stats();
  nb::dict result;
  result["workers_started"] = counts.workers_started;
  result["workers_died"] = counts.workers_died;
  result["workers_recycled"] = counts.workers_recycled;
  result["sessions_rebuilt"] = counts.sessions_rebuilt;
  result["actions_masked"] = counts.actions_masked;
  return result;
}

std::vector<std::string> programs(const std::string& dataset, std::optional<std::size_t> limit,
                                  std::optional<std::uint64_t> seed, const std::string& split) {
  datasets::ListOptions options;
  options.limit = limit;
  options.seed = seed;
  options.split = value(datasets::parseSplit(split));
  return value(datasets::listPrograms(dataset, options));
}

std::vector<std::string> functions(const Engine& engine, const std::string& program, bool evaluation) {
  Result<std::vector<std::string>> found = std::vector<std::string>{};
  {
    const nb::gil_scoped_release free;
    Result<std::unique_ptr<engine::ProgramLibrary>> library =
        engine::ProgramLibrary::create(*engine.engine, {.values = {}, .evaluation = evaluation});
    if (library)
      found = (*library)->functions(program);
    else
      found = fail(library.error());
  }
  return value(std::move(found));
}

nb::list datasetList() {
  nb::list result;
  for (const datasets::DatasetInfo* dataset : datasets::catalog()) {
    nb::dict one;
    one["name"] = std::string(dataset->name);
    one["pattern"] = std::string(dataset->pattern);
    one["summary"] = std::string(dataset->summary);
    one["finite"] = dataset->finite;
    one["evaluation_only"] = dataset->evaluation_only;
    const Status available = dataset->available();
    one["problem"] = available ? std::string() : available.error().message;
    result.append(one);
  }
  return result;
}

}  // namespace

void bindEngine(nb::module_& module) {
  nb::class_<Engine>(module, "Engine", "LLVM workers, the crash ledger and the actions of the linked LLVM.")
      .def_prop_ro("info", info, "What the backend is and what it measures.")
      .def_prop_ro("stats", stats, "Counts of workers started, died and recycled since the start.");
  module.def("start", start, nb::arg("prefix"), nb::arg("memory_mib"), nb::arg("step_seconds"),
             nb::arg("remember_crashes"), nb::arg("worker") = "",
             "Starts the helper process of the workers. `prefix` holds bin/ordo-worker and share/ordo; "
             "`worker` is the program of another backend, if it is not LLVM.");
  module.def("programs", programs, nb::arg("dataset"), nb::arg("limit") = nb::none(),
             nb::arg("seed") = nb::none(), nb::arg("split") = "all",
             "URIs of a dataset; a random sample of them with a seed.");
  module.def("functions", functions, nb::arg("engine"), nb::arg("program"), nb::arg("evaluation") = false,
             "URIs of the functions of a program, each a program by itself.");
  module.def("datasets", datasetList, "What datasets there are, each a dict.");
}

}  // namespace ordo::python
