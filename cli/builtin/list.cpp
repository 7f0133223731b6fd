// ordo list: the catalogs.
#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "datasets/dataset.h"
#include "engine/baseline.h"
#include "engine/engine.h"
#include "env/crash_ledger.h"
#include "env/reward.h"
#include "env/sensor.h"
#include "running/observation.h"
#include "search/catalog/catalog.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

// A catalog is a table, and its first column is the name.

// What follows KIND on the command line.
struct Request {
  std::string kind;
  std::string dataset;  // of `list programs`, as the next two
  datasets::ListOptions programs;
  std::string split = "all";
  bool verbose = false;  // of `list rewards`
  bool json = false;
};

Result<Table> listMetrics(const Request&) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  Table table{{"metric", "unit", "repeatable", "what it is"}, {}};
  for (const env::MetricInfo& metric : engine->info().metrics) {
    table.rows.push_back({metric.name, metric.unit, metric.deterministic ? "yes" : "no", metric.summary});
  }
  return table;
}

// "[56]", "[rows, 300]"; what only the environment knows has a name instead of a number.
std::string shapeOf(const env::Sensor& sensor) {
  using Source = env::Sensor::Source;
  if (sensor.source == Source::kHistory) return "[max_steps]";
  if (sensor.source == Source::kHistogram) return "[actions]";
  if (sensor.shape.size() == 2) return fmt::format("[rows, {}]", sensor.shape[1]);
  return sensor.fixed() ? fmt::format("[{}]", sensor.shape[0]) : "[any]";
}

// Whether it is a time, or made of one.
bool measuresMachine(const env::BackendInfo& info, const env::Sensor& sensor) {
  const std::string metric = sensor.name.substr(0, sensor.name.find('/'));
  return sensor.source == env::Sensor::Source::kExperiment ||
         std::any_of(info.metrics.begin(), info.metrics.end(), [&](const env::MetricInfo& candidate) {
           return candidate.name == metric && !candidate.deterministic;
         });
}

Result<Table> listObservations(const Request&) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  const env::BackendInfo info = running::withRunObservations(engine->info());
  Table table{{"observation", "version", "type", "shape", "unit", "of the machine", "what it is"}, {}};
  // How many steps and actions there are is for each environment to say.
  for (const env::Sensor& sensor : env::allSensors(info, engine::baselineNames(), 1, 1)) {
    const auto known =
        std::find_if(info.observations.begin(), info.observations.end(),
                     [&](const env::ObservationInfo& candidate) { return candidate.name == sensor.name; });
    const bool from_backend = known != info.observations.end();
    const bool of_machine = from_backend ? known->machine_dependent : measuresMachine(info, sensor);
    table.rows.push_back({sensor.name, from_backend ? std::to_string(known->version) : "",
                          std::string(name(sensor.dtype)), shapeOf(sensor), sensor.unit,
                          of_machine ? "yes" : "no", sensor.summary});
  }
  return table;
}

Result<Table> listRewards(const Request& request) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  std::vector<std::string> metrics;
  for (const env::MetricInfo& metric : engine->info().metrics) metrics.push_back(metric.name);
  for (const env::ExperimentInfo& experiment : env::experiments()) metrics.emplace_back(experiment.name);
  Table table{{"reward", "paid"}, {}};
  if (request.verbose) table.columns.emplace_back("definition");
  for (const env::Reward& reward : env::allRewards(metrics, engine::baselineNames())) {
    // Bare pipelines make no program that clang makes.
    if (env::isExperiment(reward.metric) && engine::parseBaseline(reward.baseline)->bare) continue;
    table.rows.push_back({reward.name(), reward.at_end ? "at the end" : "each step"});
    if (request.verbose) table.rows.back().push_back(env::definition(reward));
  }
  return table;
}

Result<Table> listActions(const Request&) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  Table table{{"action", "kind", "probed", "effect", "warning"}, {}};
  for (const spaces::ManifestRow& row : manifest.rows) {
    table.rows.push_back({row.name, std::string(name(row.kind)), std::string(name(row.probe.status)),
                          fmt::format("{}/{}", row.probe.changed, row.probe.of),
                          row.trap ? fmt::format("{}: {}", name(row.trap->kind), row.trap->reason)
                                   : (row.probe.deterministic ? "" : "not deterministic")});
  }
  return table;
}

Result<Table> listSpaceNames(const Request&) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  Table table{{"space", "actions", "unsafe", "hash"}, {}};
  for (const std::string& name : spaces::listSpaces(dataDir())) {
    ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), name, manifest));
    table.rows.push_back(
        {name, std::to_string(space.actions.size()), std::to_string(space.unsafe.size()), space.hash.hex()});
  }
  return table;
}

Result<Table> listSearchers(const Request&) {
  Table table{{"searcher", "what it does"}, {}};
  for (const search::SearcherInfo* searcher : search::catalog()) {
    table.rows.push_back({std::string(searcher->name), std::string(searcher->summary)});
  }
  return table;
}

Result<Table> listBaselines(const Request&) {
  Table table{{"baseline", "what it is"}, {}};
  for (const std::string& name : engine::baselineNames()) {
    const std::string level = name.substr(name.find('-') + 1);
    table.rows.push_back(
        {name,
         name.starts_with("bare")
             ? fmt::format("default<{}> on IR without minsize and optsize: the research convention", level)
             : fmt::format("what clang-22 -{} does, pass for pass", level)});
  }
  return table;
}

Result<Table> listCrashes(const Request&) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  Table table{{"action", "times", "how", "program", "IR hash"}, {}};
  for (const env::CrashRecord& record : engine->backend().ledger().records()) {
    table.rows.push_back({record.action.substr(0, 60), std::to_string(record.count),
                          std::string(name(record.status)), record.program, record.state.hex()});
  }
  return table;
}

Result<Table> listDatasets(const Request&) {
  Table table{{"dataset", "programs", "use", "ready", "what it is"}, {}};
  for (const datasets::DatasetInfo* dataset : datasets::catalog()) {
    const Status ready = dataset->available();
    table.rows.push_back({std::string(dataset->name), std::string(dataset->pattern),
                          dataset->evaluation_only ? "evaluation"
                          : dataset->has_splits    ? "train, validation, test"
                                                   : "any",
                          ready ? "yes" : "no", std::string(dataset->summary)});
    if (!ready) table.rows.back().back() += fmt::format(" ({})", ready.error().message);
  }
  return table;
}

Result<Table> listPrograms(const Request& request) {
  if (request.dataset.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "of which dataset? write 'ordo list programs DATASET'; 'ordo list datasets' shows them");
  }
  datasets::ListOptions options = request.programs;
  ORDO_TRY_ASSIGN(options.split, datasets::parseSplit(request.split));
  ORDO_TRY_ASSIGN(const std::vector<std::string> uris, datasets::listPrograms(request.dataset, options));
  Table table{{"program"}, {}};
  for (const std::string& uri : uris) table.rows.push_back({uri});
  return table;
}

struct Kind {
  const char* name;
  const char* summary;
  Result<Table> (*list)(const Request& request);
};

constexpr Kind kKinds[] = {
    {"actions", "what a sequence is made of", listActions},
    {"baselines", "what results are compared with", listBaselines},
    {"crashes", "what has killed a worker on this machine", listCrashes},
    {"datasets", "where programs come from", listDatasets},
    {"metrics", "what can be an objective", listMetrics},
    {"observations", "what can be seen of a program", listObservations},
    {"programs", "the programs of a dataset: ordo list programs DATASET", listPrograms},
    {"rewards", "what a step of an environment can be worth; --verbose defines each", listRewards},
    {"searchers", "how sequences are found", listSearchers},
    {"spaces", "which actions to use", listSpaceNames},
};

constexpr const char* kRewardLegend =
    "C(t) is the metric after step t, lower is better: C(0) of the program as given, C(T) after the last\n"
    "step, C(BASELINE) of the program after that baseline ('ordo list baselines'). Divisors are never\n"
    "clamped: a program for which one is not positive does not have that reward, and the environment\n"
    "says so.\n";

int showKind(const Request& request) {
  const std::string& word = request.kind;
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  if (word.empty()) {
    for (const Kind& kind : kKinds) fmt::print("{:14} {}\n", kind.name, kind.summary);
    return kOk;
  }
  const auto found = std::find(names.begin(), names.end(), word == "objectives" ? "metrics" : word);
  if (found == names.end()) return report({ErrorCode::kInvalidArgument, unknownName("catalog", word, names)});
  const Kind& kind = kKinds[found - names.begin()];
  if (!request.dataset.empty() && kind.list != listPrograms) {
    return report({ErrorCode::kInvalidArgument, fmt::format("'ordo list {}' takes no name after it, and got "
                                                            "'{}'; only 'ordo list programs' does",
                                                            kind.name, request.dataset)});
  }
  if (request.verbose && kind.list != listRewards) {
    return report({ErrorCode::kInvalidArgument, fmt::format("'ordo list {}' has nothing more to say; only "
                                                            "'ordo list rewards' takes --verbose",
                                                            kind.name)});
  }
  const Result<Table> table = kind.list(request);
  if (!table) return report(table.error());
  if (!request.json) {
    fmt::print("{}", format(*table));
    if (request.verbose) fmt::print("\n{}", kRewardLegend);
    return kOk;
  }
  Json rows = Json::array();
  for (const auto& row : table->rows) {
    Json object;
    for (std::size_t i = 0; i < row.size(); ++i) object[table->columns[i]] = row[i];
    rows.push_back(std::move(object));
  }
  fmt::print("{}\n", writeJson(rows, 2));
  return kOk;
}

}  // namespace

extern const CommandInfo list{
    .name = "list",
    .summary = "the catalogs: actions, datasets, metrics, observations, rewards, spaces and more",
    .examples =
        "  ordo list metrics\n"
        "  ordo list actions --json\n"
        "  ordo list rewards --verbose\n"
        "  ordo list programs suite\n"
        "  ordo list programs csmith --limit 20 --split train\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto request = std::make_shared<Request>();
      app.add_option("KIND", request->kind, "which catalog; none lists the kinds");
      app.add_option("DATASET", request->dataset, "whose programs: a dataset, or dir:FOLDER");
      app.add_option("--limit", request->programs.limit, "at most so many programs");
      app.add_option("--seed", request->programs.seed, "a random sample of the programs");
      app.add_option("--split", request->split, "programs to learn from: train, validation or test");
      app.add_flag("--verbose", request->verbose, "rewards: the definition of each");
      app.add_flag("--json", request->json, "print as JSON");
      return [request](const std::vector<std::string>&) { return showKind(*request); };
    }};

}  // namespace ordo::cli
