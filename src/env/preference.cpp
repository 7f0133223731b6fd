#include "env/preference.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace ordo::env {
namespace {

constexpr double kMostWeight = 1e9;  // so that sums are finite

// "METRIC=WEIGHT"; nothing if it is not.
std::optional<Preference::Part> partOf(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  Preference::Part part{std::string(text.substr(0, equals)), 0};
  const std::string_view weight = text.substr(equals + 1);
  const auto [end, error] = std::from_chars(weight.data(), weight.data() + weight.size(), part.weight);
  const bool whole = error == std::errc{} && end == weight.data() + weight.size();
  if (!whole || !std::isfinite(part.weight) || part.weight <= 0 || part.weight > kMostWeight)
    return std::nullopt;
  return part;
}

}  // namespace

double Preference::value(std::span<const double> values) const {
  ORDO_CHECK(values.size() == parts.size(), "{} values of {} metrics", values.size(), parts.size());
  if (single()) return values.front();
  double product = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) product *= std::pow(values[i], parts[i].weight);
  return product;
}

Result<Measurement> Preference::measure(Session& session, bool estimate) const {
  std::vector<double> values;
  for (const Part& part : parts) {
    ORDO_TRY_ASSIGN(Measurement measurement,
                    estimate ? session.estimate(part.metric) : session.measure(part.metric));
    if (single() || !measurement.ok()) return measurement;
    values.push_back(measurement.value);
  }
  Measurement all;
  all.value = value(values);
  return all;
}

Result<Preference> parsePreference(std::string_view text) {
  if (!text.empty() && text.find_first_of("=+") == std::string_view::npos)
    return Preference{{{std::string(text), 1}}};
  const auto refused = [&] {
    return fail(ErrorCode::kInvalidArgument,
                "'{}' is no objective: write METRIC, or METRIC=0.7+METRIC=0.3 for several, each with how "
                "much it matters",
                text);
  };
  Preference preference;
  double sum = 0;
  for (std::string_view rest = text;;) {
    const std::size_t plus = rest.find('+');
    const std::optional<Preference::Part> part = partOf(rest.substr(0, plus));
    if (!part) return refused();
    if (std::ranges::find(preference.parts, part->metric, &Preference::Part::metric) !=
        preference.parts.end())
      return fail(ErrorCode::kInvalidArgument, "the objective '{}' has {} twice", text, part->metric);
    sum += part->weight;
    preference.parts.push_back(*part);
    if (plus == std::string_view::npos) break;
    rest.remove_prefix(plus + 1);
  }
  // An objective has one name: that of a metric alone is the metric's.
  if (preference.single()) return refused();
  for (Preference::Part& part : preference.parts) part.weight /= sum;
  return preference;
}

}  // namespace ordo::env
