// ordo stats: what the drop-in compiler did in builds.
#include <memory>

#include "builds/log.h"
#include "builds/settings.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "support/exit_code.h"
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
                {"  of processors", fmt::format("{:.1f}", totals.processor_seconds)},
                {"functions searched for", number(totals.functions)},
                {"  known from other builds", number(totals.remembered)},
                {"files with a size", number(totals.files)},
                {"  the compiler's own", grouped(totals.baseline)},
                {"  with Ordo", grouped(totals.result)}};
  if (totals.baseline > 0) table.rows.push_back({"  change", change(totals.baseline, totals.result)});
  if (totals.oz_files > 0) {
    table.rows.push_back({fmt::format("of -Os, {} files", totals.oz_files), grouped(totals.oz_baseline)});
    table.rows.push_back({"  with Ordo", grouped(totals.oz_result)});
    table.rows.push_back({"  change", change(totals.oz_baseline, totals.oz_result)});
    table.rows.push_back({"  by clang -Oz alone", grouped(totals.oz)});
    table.rows.push_back({"  change", change(totals.oz_baseline, totals.oz)});
  }
  fmt::print("{}", format(table));
}

// What -Os is traded for, and how much of that another letter gives.
void printTrade(const builds::Totals& totals) {
  if (totals.os_files == 0) return;
  fmt::print(
      "\nFiles of -Os are tuned for size alone, as those of -Oz are: what -Os keeps for speed (inlined "
      "calls, unrolled "
      "loops,\ncode for division and for copies) may be gone.");
  if (totals.oz_files < totals.os_files)
    fmt::print(
        " A part of the change is what clang -Oz gives by itself; how much\nis not known of {} of {} files: "
        "it is "
        "measured where a search runs (ORDO_BUDGET is not 0).",
        totals.os_files - totals.oz_files, totals.os_files);
  fmt::print("\n");
}

// Why compilations were left to clang.
void printReasons(const std::vector<builds::LogLine>& lines) {
  constexpr std::size_t kShown = 8;
  const std::vector<builds::Reason> reasons = builds::reasonsOf(lines);
  if (reasons.empty()) return;
  Table table{{"left to clang", "", "because"}, {}, {false, true, false}};
  std::int64_t others = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i < kShown)
      table.rows.push_back(
          {std::string(builds::name(reasons[i].outcome)), number(reasons[i].count), reasons[i].text});
    else
      others += reasons[i].count;
  }
  if (others > 0) table.rows.push_back({"", number(others), "other reasons: ordo stats --files"});
  fmt::print("\n{}", format(table));
}

Json toJson(const builds::Totals& totals, const std::vector<builds::Reason>& reasons) {
  Json why = Json::array();
  for (const builds::Reason& reason : reasons)
    why.push_back(
        {{"outcome", builds::name(reason.outcome)}, {"reason", reason.text}, {"count", reason.count}});
  return {{"format", 1},
          {"compilations", totals.compilations},
          {"tuned", totals.tuned},
          {"cached", totals.cached},
          {"locked", totals.locked},
          {"plain", totals.plain},
          {"fallback", totals.fallback},
          {"seconds", totals.seconds},
          {"processor_seconds", totals.processor_seconds},
          {"functions", totals.functions},
          {"remembered", totals.remembered},
          {"files", totals.files},
          {"baseline", totals.baseline},
          {"result", totals.result},
          {"os",
           {{"files", totals.os_files},
            {"with_oz", totals.oz_files},
            {"baseline", totals.oz_baseline},
            {"result", totals.oz_result},
            {"oz", totals.oz}}},
          {"reasons", why}};
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
    fmt::print("{}\n", writeJson(toJson(builds::totalsOf(*lines), builds::reasonsOf(*lines)), 2));
  } else {
    const builds::Totals totals = builds::totalsOf(*lines);
    printTotals(totals);
    printTrade(totals);
    printReasons(*lines);
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
