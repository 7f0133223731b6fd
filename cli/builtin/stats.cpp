// ordo stats: what the drop-in compiler did in builds.
#include <memory>

#include "builds/log.h"
#include "builds/settings.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

struct Options {
  bool files = false;
  bool json = false;
};

std::string number(std::int64_t value) { return grouped(static_cast<double>(value)); }

void printTotals(const builds::Totals& totals) {
  Table table{{}, {}, {false, true}};
  table.rows = {{"compilations", number(totals.compilations)},
                {"  tuned", number(totals.tuned)},
                {"  from the cache", number(totals.cached)},
                {"  from a lock file", number(totals.locked)},
                {"  plain", number(totals.plain)},
                {"  fallbacks", number(totals.fallback)},
                {"seconds", fmt::format("{:.1f}", totals.seconds)},
                {"files with a size", number(totals.files)},
                {"  the compiler's own", grouped(totals.baseline)},
                {"  with Ordo", grouped(totals.result)}};
  if (totals.baseline > 0) table.rows.push_back({"  change", change(totals.baseline, totals.result)});
  fmt::print("{}", format(table));
}

Json toJson(const builds::Totals& totals) {
  return {{"format", 1},
          {"compilations", totals.compilations},
          {"tuned", totals.tuned},
          {"cached", totals.cached},
          {"locked", totals.locked},
          {"plain", totals.plain},
          {"fallback", totals.fallback},
          {"seconds", totals.seconds},
          {"files", totals.files},
          {"baseline", totals.baseline},
          {"result", totals.result}};
}

void printFiles(const std::vector<builds::LogLine>& lines) {
  Table table{{"source", "outcome", "own", "ordo", "change", "seconds", "reason"},
              {},
              {false, false, true, true, true, true}};
  for (const builds::LogLine& line : lines) {
    const bool sized = !line.objective.empty();
    table.rows.push_back({line.source, std::string(builds::name(line.outcome)),
                          sized ? grouped(line.baseline) : "", sized ? grouped(line.tuned) : "",
                          sized ? change(line.baseline, line.tuned) : "", fmt::format("{:.2f}", line.seconds),
                          line.reason});
  }
  fmt::print("{}", format(table));
}

int run(const Options& options) {
  const Result<builds::Settings> settings = builds::settingsFromEnvironment();
  if (!settings) return report(settings.error());
  const Result<std::vector<builds::LogLine>> lines = builds::readLog(settings->log);
  if (!lines && lines.error().code == ErrorCode::kNotFound) {
    return report({ErrorCode::kNotFound,
                   fmt::format("no build has run with ordo-cc yet: there is no {}", settings->log.string())});
  }
  if (!lines) return report(lines.error());
  if (options.files && !options.json) {
    printFiles(*lines);
  } else if (options.json) {
    fmt::print("{}\n", writeJson(toJson(builds::totalsOf(*lines)), 2));
  } else {
    printTotals(builds::totalsOf(*lines));
  }
  return kOk;
}

}  // namespace

extern const CommandInfo stats{
    .name = "stats",
    .summary = "what ordo-cc did in builds: files, bytes gained, cache, fallbacks, time",
    .examples =
        "  CC=ordo-cc make && ordo stats\n"
        "  ordo stats --files\n"
        "  ORDO_LOG=build.jsonl ordo stats --json\n",
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_flag("--files", options->files, "a line for each compilation");
      app.add_flag("--json", options->json, "print as JSON");
      return [options](const std::vector<std::string>&) { return run(*options); };
    }};

}  // namespace ordo::cli
