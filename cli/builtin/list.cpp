// ordo list: the catalogs.
#include <memory>

#include "app/baseline.h"
#include "app/engine.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "env/crash_ledger.h"
#include "search/searcher.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

// A catalog as a table: the first column is the name.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

Result<Table> listMetrics() {
  ORDO_TRY_ASSIGN(const std::unique_ptr<app::Engine> engine, app::Engine::start());
  Table table{{"metric", "unit", "repeatable", "what it is"}, {}};
  for (const env::MetricInfo& metric : engine->info().metrics) {
    table.rows.push_back({metric.name, metric.unit, metric.deterministic ? "yes" : "no", metric.summary});
  }
  return table;
}

Result<Table> listObservations() {
  ORDO_TRY_ASSIGN(const std::unique_ptr<app::Engine> engine, app::Engine::start());
  Table table{{"observation", "version", "type", "of the machine", "what it is"}, {}};
  for (const env::ObservationInfo& info : engine->info().observations) {
    const std::string shape = info.columns != 0 ? fmt::format("[,{}]", info.columns)
                              : info.width != 0 ? fmt::format("[{}]", info.width)
                                                : "[]";
    table.rows.push_back({info.name, std::to_string(info.version), std::string(name(info.dtype)) + shape,
                          info.machine_dependent ? "yes" : "no", info.summary});
  }
  return table;
}

Result<Table> listActions() {
  ORDO_TRY_ASSIGN(const std::unique_ptr<app::Engine> engine, app::Engine::start());
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

Result<Table> listSpaceNames() {
  ORDO_TRY_ASSIGN(const std::unique_ptr<app::Engine> engine, app::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  Table table{{"space", "actions", "unsafe", "hash"}, {}};
  for (const std::string& name : spaces::listSpaces(dataDir())) {
    ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), name, manifest));
    table.rows.push_back(
        {name, std::to_string(space.actions.size()), std::to_string(space.unsafe.size()), space.hash.hex()});
  }
  return table;
}

Result<Table> listSearchers() {
  Table table{{"searcher", "what it does"}, {}};
  for (const search::SearcherInfo* searcher : search::catalog()) {
    table.rows.push_back({std::string(searcher->name), std::string(searcher->summary)});
  }
  return table;
}

Result<Table> listBaselines() {
  Table table{{"baseline", "what it is"}, {}};
  for (const std::string& name : app::baselineNames()) {
    const std::string level = name.substr(name.find('-') + 1);
    table.rows.push_back(
        {name,
         name.starts_with("bare")
             ? fmt::format("default<{}> on IR without minsize and optsize: the research convention", level)
             : fmt::format("what clang-22 -{} does, pass for pass", level)});
  }
  return table;
}

Result<Table> listCrashes() {
  ORDO_TRY_ASSIGN(const std::unique_ptr<app::Engine> engine, app::Engine::start());
  Table table{{"action", "times", "how", "program", "IR hash"}, {}};
  for (const env::CrashRecord& record : engine->backend().ledger().records()) {
    table.rows.push_back({record.action.substr(0, 60), std::to_string(record.count),
                          std::string(name(record.status)), record.program, record.state.hex()});
  }
  return table;
}

struct Kind {
  const char* name;
  const char* summary;
  Result<Table> (*list)();
};

constexpr Kind kKinds[] = {
    {"actions", "what a sequence is made of", listActions},
    {"baselines", "what results are compared with", listBaselines},
    {"crashes", "what has killed a worker on this machine", listCrashes},
    {"metrics", "what can be an objective", listMetrics},
    {"observations", "what can be seen of a program", listObservations},
    {"searchers", "how sequences are found", listSearchers},
    {"spaces", "which actions to use", listSpaceNames},
};

void print(const Table& table) {
  std::vector<std::size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(column.size());
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    fmt::print("{}\n", text);
  };
  line(table.columns);
  for (const auto& row : table.rows) line(row);
}

int showKind(const std::string& word, bool json) {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  if (word.empty()) {
    for (const Kind& kind : kKinds) fmt::print("{:14} {}\n", kind.name, kind.summary);
    return kOk;
  }
  const auto found = std::find(names.begin(), names.end(), word == "objectives" ? "metrics" : word);
  if (found == names.end()) return report({ErrorCode::kInvalidArgument, unknownName("catalog", word, names)});
  const Result<Table> table = kKinds[found - names.begin()].list();
  if (!table) return report(table.error());
  if (!json) {
    print(*table);
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
    .summary = "the catalogs: actions, baselines, crashes, metrics, observations, searchers, spaces",
    .examples =
        "  ordo list metrics\n"
        "  ordo list actions --json\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto kind = std::make_shared<std::string>();
      auto json = std::make_shared<bool>(false);
      app.add_option("KIND", *kind, "which catalog; none lists the kinds");
      app.add_flag("--json", *json, "print as JSON");
      return [kind, json](const std::vector<std::string>&) { return showKind(*kind, *json); };
    }};

}  // namespace ordo::cli
