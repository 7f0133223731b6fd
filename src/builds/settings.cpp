#include "builds/settings.h"

#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "builds/advice.h"
#include "engine/limits.h"
#include "env/advisor_words.h"
#include "env/metric.h"
#include "search/evaluation/budget_text.h"
#include "support/files.h"

namespace ordo::builds {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Set to anything but 0.
bool isOn(const char* name) {
  const std::string_view value = variable(name);
  return !value.empty() && value != "0";
}

Result<double> parseSeconds(std::string_view text) {
  if (text == "0" || text == "0s" || text == "0ms") return 0;
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(text));
  if (!std::isfinite(budget.seconds) || std::isfinite(budget.evaluations) || std::isfinite(budget.passes))
    return fail(ErrorCode::kInvalidArgument, "ORDO_BUDGET is a time, such as 200ms, 5s or 0, not '{}'", text);
  return budget.seconds;
}

Result<std::uint64_t> parseBytes(std::string_view text) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (error != std::errc() || shift < 0 || number >> (63 - shift) != 0)
    return fail(ErrorCode::kInvalidArgument, "ORDO_CACHE_LIMIT is a size, such as 500M or 2G, not '{}'",
                text);
  return number << shift;
}

}  // namespace

Result<std::vector<std::string>> parseLimits(std::string_view what, const std::vector<std::string>& limits) {
  const Result<engine::AskedLimit> limit = engine::parseLimit(limits.front());
  if (limits.size() == 1 && limit && limit->metric == env::kCodeBytes && limit->most(1) >= 1 &&
      (limit->relative || std::isinf(limit->amount)))
    return limits;
  return fail(ErrorCode::kInvalidArgument,
              "{0} is what code alone may be in a build, {2}=+2% of clang's or {2}=any, not '{1}'", what,
              fmt::join(limits, " "), env::kCodeBytes);
}

Result<Settings> settingsFromEnvironment() {
  Settings settings;
  settings.disabled = isOn("ORDO_DISABLE");
  settings.plain = isOn("ORDO_PLAIN");
  settings.linked = isOn("ORDO_LINKED");
  ORDO_TRY_ASSIGN(settings.free_flags, parseFreeFlags(variable("ORDO_FREE_FLAGS")));
  settings.objective = variable("ORDO_OBJECTIVE");
  if (const std::string_view limit = variable("ORDO_LIMIT"); !limit.empty()) {
    ORDO_TRY_ASSIGN(settings.limits, parseLimits("ORDO_LIMIT", {std::string(limit)}));
  }
  settings.folder = cacheDir();
  if (const std::string_view shared = variable("ORDO_CACHE_SHARED"); shared == "group")
    settings.sharing = Sharing::kGroup;
  else if (!shared.empty())
    return fail(ErrorCode::kInvalidArgument, "ORDO_CACHE_SHARED is group or nothing, not '{}'", shared);
  settings.log = variable("ORDO_LOG");
  if (settings.log.empty()) settings.log = settings.folder / "builds.jsonl";
  settings.lock = variable("ORDO_LOCK");
  settings.record = variable("ORDO_RECORD");
  // What is locked is made as it is written there.
  if (!settings.disabled && settings.lock.empty()) {
    ORDO_TRY_ASSIGN(settings.advice, adviceOf(variable(env::kAdvisorsVariable)));
  }
  if (const std::string_view budget = variable("ORDO_BUDGET"); !budget.empty()) {
    ORDO_TRY_ASSIGN(settings.seconds, parseSeconds(budget));
  }
  if (const std::string_view limit = variable("ORDO_CACHE_LIMIT"); !limit.empty()) {
    ORDO_TRY_ASSIGN(settings.cache_bytes, parseBytes(limit));
  }
  return settings;
}

}  // namespace ordo::builds
