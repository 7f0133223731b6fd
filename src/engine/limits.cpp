#include "engine/limits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "env/metric.h"
#include "env/preference.h"
#include "support/text.h"

namespace ordo::engine {

Result<AskedLimit> parseLimit(std::string_view text) {
  const std::size_t equals = text.find('=');
  AskedLimit limit;
  limit.metric = text.substr(0, equals);
  std::string_view amount = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (amount == "any" && !limit.metric.empty()) {
    limit.amount = std::numeric_limits<double>::infinity();
    return limit;
  }
  limit.relative = amount.ends_with('%');
  const bool has_sign = amount.starts_with('+') || amount.starts_with('-');
  if (limit.relative) amount.remove_suffix(1);
  if (amount.starts_with('+')) amount.remove_prefix(1);
  const auto [end, error] = std::from_chars(amount.data(), amount.data() + amount.size(), limit.amount);
  const bool whole = error == std::errc{} && end == amount.data() + amount.size();
  if (whole && std::isfinite(limit.amount) && limit.relative == has_sign && !limit.metric.empty())
    return limit;
  return fail(ErrorCode::kInvalidArgument,
              "'{}' is no limit: write METRIC=+5% for a share of the baseline, METRIC=20000, or METRIC=any",
              text);
}

Status checkLimits(const env::BackendInfo& info, const std::string& objective,
                   const std::vector<std::string>& limits) {
  std::vector<std::string> names;
  for (const env::MetricInfo& metric : info.metrics) {
    if (metric.deterministic) names.push_back(metric.name);
  }
  std::set<std::string> seen{objective};
  for (const std::string& text : limits) {
    ORDO_TRY_ASSIGN(const AskedLimit limit, parseLimit(text));
    if (std::ranges::find(names, limit.metric) == names.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("metric of a limit", limit.metric, names));
    if (seen.insert(limit.metric).second) continue;
    return fail(ErrorCode::kInvalidArgument, "--limit {}: {} {}", text, limit.metric,
                limit.metric == objective ? "is the objective" : "has a limit already");
  }
  return {};
}

std::vector<std::string> usualLimits(const std::string& objective, std::vector<std::string> asked) {
  const auto preference = env::parsePreference(objective);
  const bool of_bytes =
      preference && std::ranges::any_of(preference->parts, [](const env::Preference::Part& part) {
        return part.metric.ends_with("_bytes") && part.metric != env::kCodeBytes;
      });
  const auto of_code = [](const std::string& limit) {
    return limit.starts_with(fmt::format("{}=", env::kCodeBytes));
  };
  if (of_bytes && std::ranges::none_of(asked, of_code))
    asked.push_back(fmt::format("{}=+0%", env::kCodeBytes));
  return asked;
}

Result<std::vector<search::Limit>> limitsFor(const std::vector<std::string>& limits, const State& baseline) {
  std::vector<search::Limit> result;
  for (const std::string& text : limits) {
    ORDO_TRY_ASSIGN(const AskedLimit asked, parseLimit(text));
    if (std::isinf(asked.amount)) continue;
    ORDO_TRY_ASSIGN(const double value, measured(baseline, asked.metric));
    const double most = asked.most(value);
    if (value > most) {
      return fail(
          ErrorCode::kInvalidArgument,
          "--limit {}: the baseline itself has {} {}, more than {:.0f}, and it is the result if nothing "
          "better is found; allow more, or choose another --baseline",
          text, value, asked.metric, most);
    }
    result.push_back({asked.metric, most});
  }
  return result;
}

}  // namespace ordo::engine
