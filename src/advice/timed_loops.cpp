#include "advice/timed_loops.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "support/json.h"

namespace ordo::advice {
namespace {

Json shortly(double value) {
  if (std::isnan(value)) return nullptr;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::max(value, 1e-3))));
  return std::round(value * scale) / scale;
}

}  // namespace

Result<LoopSource> loopNamed(std::string_view name) {
  std::uint64_t seed = 0, number = 0;
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data(), end, seed);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, number);
    if (second.ec == std::errc() && second.ptr == end) return loopSource(seed, number);
  }
  return fail(ErrorCode::kInvalidArgument, "'{}' is no loop: SEED/NUMBER", name);
}

std::string writeTimed(const TimedLoop& loop) {
  if (!loop.failure.empty())
    return writeJson({{"module", loop.name}, {"target", loop.target}, {"failure", loop.failure}}) + "\n";
  Json times = Json::array();
  for (const std::vector<double>& ns : loop.ns) {
    times.push_back(Json::array());
    for (const double one : ns) times.back().push_back(shortly(one));
  }
  std::vector<std::int64_t> features;
  for (const float value : loop.features) features.push_back(std::lround(value));
  return writeJson({{"module", loop.name},
                    {"target", loop.target},
                    {"features", features},
                    {"counts", loop.counts},
                    {"ns", times}}) +
         "\n";
}

Result<TimedLoop> parseTimed(const env::DecisionSpec& spec, std::string_view line, const std::string& where) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(line, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  TimedLoop loop;
  ORDO_TRY_ASSIGN(loop.name, object.get<std::string>("module"));
  ORDO_TRY_ASSIGN(loop.failure, object.get<std::string>("failure", ""));
  ORDO_TRY_ASSIGN(loop.target, object.get<std::string>("target", ""));
  if (!loop.failure.empty()) return loop;
  ORDO_TRY_ASSIGN(const std::vector<double> features, object.get<std::vector<double>>("features"));
  ORDO_TRY_ASSIGN(const std::vector<double> counts, object.get<std::vector<double>>("counts"));
  const auto times = json.find("ns");
  if (features.size() != spec.features.size() || times == json.end() || !times->is_array() ||
      times->size() != counts.size())
    return fail(ErrorCode::kCorrupt, "{}: a loop that does not fit the decision '{}'", where, spec.name);
  loop.features.assign(features.begin(), features.end());
  for (const double count : counts) loop.counts.push_back(std::lround(count));
  for (const Json& one : *times) {
    std::vector<double> ns;
    for (const Json& value : one) {
      if (!value.is_null() && (!value.is_number() || !(value.get<double>() > 0)))
        return fail(ErrorCode::kCorrupt, "{}: a time is a number above 0, or null", where);
      ns.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    }
    if (!one.is_array() || ns.size() != spec.answers.size() || std::isnan(ns[0]))
      return fail(ErrorCode::kCorrupt, "{}: times that do not fit the decision '{}'", where, spec.name);
    loop.ns.push_back(std::move(ns));
  }
  return loop;
}

std::vector<Example> examplesOf(const TimedLoop& loop) {
  std::vector<Example> examples;
  for (const std::vector<double>& ns : loop.ns) {
    Example example{loop.features, 0, {}};
    for (const double one : ns) example.saved.push_back(static_cast<float>(std::log(ns[0] / one)));
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace ordo::advice
