#include "builds/log.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "env/metric.h"
#include "support/child.h"
#include "support/files.h"
#include "support/json.h"
#include "support/regular_file.h"

namespace ordo::builds {
namespace {

constexpr std::array<std::string_view, 5> kNames{"tuned", "cached", "locked", "plain", "fallback"};

Result<LogLine> parseLine(std::string_view text) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, "log"));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "log"));
  LogLine line;
  ORDO_TRY_ASSIGN(line.time, object.get<std::string>("time"));
  ORDO_TRY_ASSIGN(line.source, object.get<std::string>("source"));
  ORDO_TRY_ASSIGN(line.object, object.get<std::string>("object"));
  ORDO_TRY_ASSIGN(const std::string outcome, object.get<std::string>("outcome"));
  const auto found = std::ranges::find(kNames, outcome);
  if (found == kNames.end()) return fail(ErrorCode::kCorrupt, "log: no outcome '{}'", outcome);
  line.outcome = static_cast<Outcome>(found - kNames.begin());
  ORDO_TRY_ASSIGN(line.reason, object.get<std::string>("reason", ""));
  ORDO_TRY_ASSIGN(line.objective, object.get<std::string>("objective", ""));
  ORDO_TRY_ASSIGN(line.baseline, object.get<double>("baseline", 0));
  ORDO_TRY_ASSIGN(line.tuned, object.get<double>("tuned", 0));
  ORDO_TRY_ASSIGN(line.processor_seconds, object.get<double>("processor_seconds", 0));
  ORDO_TRY_ASSIGN(line.seconds, object.get<double>("seconds"));
  ORDO_TRY_ASSIGN(line.key, object.get<std::string>("key", ""));
  ORDO_TRY_ASSIGN(line.module, object.get<std::string>("module", ""));
  ORDO_TRY_ASSIGN(line.level, object.get<std::string>("level", ""));
  ORDO_TRY_ASSIGN(line.flags, object.get<std::vector<std::string>>("flags", {}));
  ORDO_TRY_ASSIGN(line.oz, object.get<double>("oz", 0));
  ORDO_TRY_ASSIGN(line.functions, object.get<std::int64_t>("functions", 0));
  ORDO_TRY_ASSIGN(line.remembered, object.get<std::int64_t>("remembered", 0));
  ORDO_TRY_ASSIGN(line.command, object.get<std::vector<std::string>>("command", {}));
  return line;
}

}  // namespace

std::string_view name(Outcome outcome) { return kNames[static_cast<std::size_t>(outcome)]; }

Status append(const std::filesystem::path& log, const LogLine& line) {
  Json json = {{"time", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
               {"source", line.source},
               {"object", line.object},
               {"outcome", name(line.outcome)}};
  if (!line.reason.empty()) json["reason"] = line.reason;
  if (!line.objective.empty()) {
    json["objective"] = line.objective;
    json["baseline"] = line.baseline;
    json["tuned"] = line.tuned;
    json["key"] = line.key;
    json["module"] = line.module;
    if (!line.level.empty()) json["level"] = line.level;
    if (!line.flags.empty()) json["flags"] = line.flags;
    if (line.oz > 0) json["oz"] = line.oz;
    if (line.functions > 0) {
      json["functions"] = line.functions;
      json["remembered"] = line.remembered;
    }
  }
  if (!line.command.empty()) json["command"] = line.command;
  json["seconds"] = line.seconds;
  json["processor_seconds"] = line.processor_seconds;
  const std::string text = writeJson(json) + '\n';
  std::error_code ignored;
  std::filesystem::create_directories(log.parent_path(), ignored);
  // Nobody waits for whoever reads it, should it be a pipe.
  const Descriptor file(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644));
  if (!file.isOpen() || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return fail(ErrorCode::kUnavailable, "cannot write {}: {}", log.string(), std::strerror(errno));
  return {};
}

Result<std::vector<LogLine>> readLog(const std::filesystem::path& log) {
  ORDO_TRY_ASSIGN(const std::string text, readRegularFile(log));
  std::vector<LogLine> lines;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (Result<LogLine> line = parseLine(rest.substr(0, end))) lines.push_back(*std::move(line));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

std::vector<Reason> reasonsOf(const std::vector<LogLine>& lines) {
  std::map<std::pair<Outcome, std::string>, std::int64_t> counts;
  for (const LogLine& line : lines) {
    if ((line.outcome == Outcome::kPlain || line.outcome == Outcome::kFallback) && !line.reason.empty())
      ++counts[{line.outcome, line.reason}];
  }
  std::vector<Reason> reasons;
  for (const auto& [what, count] : counts) reasons.push_back({what.first, what.second, count});
  // Those of one count stay in the order of the map.
  std::ranges::sort(reasons, [](const Reason& one, const Reason& other) {
    return std::tie(other.count, one.outcome, one.text) < std::tie(one.count, other.outcome, other.text);
  });
  return reasons;
}

Totals totalsOf(const std::vector<LogLine>& lines) {
  Totals totals;
  std::map<std::string, const LogLine*> latest;
  for (const LogLine& line : lines) {
    ++totals.compilations;
    totals.seconds += line.seconds;
    totals.processor_seconds += line.processor_seconds;
    totals.functions += line.functions;
    totals.remembered += line.remembered;
    const std::array counters{&totals.tuned, &totals.cached, &totals.locked, &totals.plain, &totals.fallback};
    ++*counters[static_cast<std::size_t>(line.outcome)];
    latest[line.object] = &line;
  }
  for (const auto& [object, line] : latest) {
    if (line->objective.empty()) continue;
    ++totals.files;
    totals.baseline += line->baseline;
    totals.result += line->tuned;
    if (line->level != "Os" || line->objective != env::kTextBytes) continue;
    ++totals.os_files;
    if (line->oz <= 0) continue;
    ++totals.oz_files;
    totals.oz_baseline += line->baseline;
    totals.oz_result += line->tuned;
    totals.oz += line->oz;
  }
  return totals;
}

}  // namespace ordo::builds
