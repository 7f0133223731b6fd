// decodeHeader() and decodeRecord() are the ways in; above them is one function for each kind of value. The
// format is read first, so that a newer file is called newer and not corrupt. A record with "left_out" is an
// omission, any other a run. run() reads the states before the best sequences, which refer to them by index,
// and every index is checked as it is read, against the header's actions or the run's states. `where` grows
// on the way down, so that a message names the element at fault.
#include "experience/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "support/json.h"

namespace ordo::experience {
namespace {

constexpr std::size_t kMaxNames = 65'536;
constexpr std::uint64_t kMaxWidth = 1u << 20;

// Half way from the largest float32 to what would be the next: with nine digits the largest is a little more
// than it is.
constexpr double kBeyondFloat = 0x1.ffffffp127;

template <typename... Args>
tl::unexpected<Error> corrupt(std::string_view where, fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kCorrupt, "{}: {}", where, fmt::format(format, std::forward<Args>(args)...));
}

// A field that is at least 0.
Result<std::uint64_t> count(const JsonObject& object, std::string_view key,
                            std::uint64_t most = std::numeric_limits<std::int64_t>::max()) {
  ORDO_TRY_ASSIGN(const std::int64_t value, object.get<std::int64_t>(key));
  if (value < 0 || static_cast<std::uint64_t>(value) > most)
    return corrupt(object.where(), "the field '{}' should be from 0 to {}", key, most);
  return static_cast<std::uint64_t>(value);
}

Result<Hash128> hash(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::string text, object.get<std::string>(key));
  const std::optional<Hash128> hash = Hash128::fromHex(text);
  if (!hash) return corrupt(object.where(), "the field '{}' is no hash", key);
  return *hash;
}

Result<std::string> word(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(std::string text, object.get<std::string>(key));
  if (text.empty()) return corrupt(object.where(), "the field '{}' is empty", key);
  return text;
}

// The elements of a field.
Result<const Json*> list(const Json& object, std::string_view key, std::string_view where) {
  const auto found = object.find(key);
  if (found == object.end()) return corrupt(where, "the field '{}' is missing", key);
  if (!found->is_array()) return corrupt(where, "the field '{}' should be a list", key);
  return &*found;
}

// Parsing has refused what is not finite.
Result<double> number(const Json& json, std::string_view where) {
  if (!json.is_number()) return corrupt(where, "should be a number");
  return json.get<double>();
}

// Each below `bound`.
Result<std::vector<std::uint32_t>> indices(const Json& json, std::size_t bound, std::string_view where) {
  if (!json.is_array()) return corrupt(where, "should be a list of indices");
  if (json.size() > kMaxActions) return corrupt(where, "is longer than {}", kMaxActions);
  std::vector<std::uint32_t> result;
  result.reserve(json.size());
  for (const Json& element : json) {
    if (!element.is_number_unsigned() || element.get<std::uint64_t>() >= bound)
      return corrupt(where, "has the index {}, and there are {}", writeJson(element), bound);
    result.push_back(element.get<std::uint32_t>());
  }
  return result;
}

Result<Values> values(const Json& json, std::string_view where) {
  if (!json.is_object()) return corrupt(where, "should have a number for each metric");
  Values result;
  for (const auto& [metric, value] : json.items()) {
    ORDO_TRY_ASSIGN(result[metric], number(value, fmt::format("{}: {}", where, metric)));
  }
  return result;
}

Result<ObservationInfo> observation(const JsonObject& object) {
  ORDO_TRY(object.onlyHas({"name", "version", "dtype", "width"}));
  ObservationInfo info;
  ORDO_TRY_ASSIGN(info.name, word(object, "name"));
  ORDO_TRY_ASSIGN(info.version, object.get<std::int64_t>("version"));
  ORDO_TRY_ASSIGN(const std::string dtype, object.get<std::string>("dtype"));
  if (dtype != name(DType::kInt64) && dtype != name(DType::kFloat32))
    return corrupt(object.where(), "the field 'dtype' should be int64 or float32");
  info.dtype = dtype == name(DType::kInt64) ? DType::kInt64 : DType::kFloat32;
  ORDO_TRY_ASSIGN(const std::uint64_t width, count(object, "width", kMaxWidth));
  info.width = static_cast<std::uint32_t>(width);
  return info;
}

Result<Sample> sample(const JsonObject& object) {
  ORDO_TRY(object.onlyHas({"best", "others", "seed"}));
  Sample result;
  ORDO_TRY_ASSIGN(result.best, count(object, "best"));
  ORDO_TRY_ASSIGN(result.others, count(object, "others"));
  ORDO_TRY_ASSIGN(result.seed, count(object, "seed"));
  return result;
}

// [value, [actions]], [null, [actions]] or [null, [actions], screen]
Result<Attempt> attempt(const Json& json, const Header& header, std::string_view where) {
  if (!json.is_array() || json.size() < 2 || json.size() > 3)
    return corrupt(where, "should be [value, [actions]] or [null, [actions], screen]");
  Attempt result;
  if (!json[0].is_null()) {
    ORDO_TRY_ASSIGN(result.value, number(json[0], where));
  }
  ORDO_TRY_ASSIGN(result.actions, indices(json[1], header.actions.size(), where));
  if (json.size() == 3) {
    if (result.value) return corrupt(where, "has a value, so nothing ruled it out");
    ORDO_TRY_ASSIGN(result.screen, number(json[2], where));
  }
  return result;
}

Result<Numbers> numbers(const Json& json, const ObservationInfo& info, std::string_view where) {
  if (!json.is_array() || json.size() != info.width)
    return corrupt(where, "{} should be {} numbers", info.name, info.width);
  if (info.dtype == DType::kInt64) {
    std::vector<std::int64_t> result;
    for (const Json& element : json) {
      const bool fits =
          element.is_number_integer() &&
          (!element.is_number_unsigned() ||
           element.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
      if (!fits) return corrupt(where, "{} has {}, which is no int64", info.name, writeJson(element));
      result.push_back(element.get<std::int64_t>());
    }
    return result;
  }
  std::vector<float> result;
  for (const Json& element : json) {
    ORDO_TRY_ASSIGN(const double value, number(element, where));
    if (std::abs(value) >= kBeyondFloat)
      return corrupt(where, "{} has {}, which is no float32", info.name, writeJson(element));
    constexpr double kLargest = std::numeric_limits<float>::max();
    result.push_back(static_cast<float>(std::clamp(value, -kLargest, kLargest)));
  }
  return result;
}

Result<State> state(const Json& json, const Header& header, std::string_view where) {
  if (!json.is_array() || json.size() != header.observations.size() || json.empty())
    return corrupt(where, "should have {} observations", header.observations.size());
  State result;
  for (std::size_t i = 0; i < json.size(); ++i) {
    ORDO_TRY_ASSIGN(Numbers observed, numbers(json[i], header.observations[i], where));
    result.push_back(std::move(observed));
  }
  return result;
}

Result<Best> best(const Json& json, const Header& header, const Run& run, const std::string& where) {
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  ORDO_TRY(object.onlyHas({"actions", "values", "states"}));
  if (!json.contains("actions") || !json.contains("values"))
    return corrupt(where, "the fields 'actions' and 'values' are needed");
  Best result;
  ORDO_TRY_ASSIGN(result.actions, indices(json.at("actions"), header.actions.size(), where + ": actions"));
  ORDO_TRY_ASSIGN(result.values, values(json.at("values"), where + ": values"));
  if (!result.values.contains(run.key.objective))
    return corrupt(where, "the field 'values' has none of the objective");
  if (!json.contains("states")) return result;
  ORDO_TRY_ASSIGN(result.states, indices(json.at("states"), run.states.size(), where + ": states"));
  if (result.states.size() != result.actions.size() + 1)
    return corrupt(where, "the field 'states' should have one before the first action and one after each");
  return result;
}

Status readTried(const Json& json, const Header& header, const std::string& where, Run& run) {
  ORDO_TRY_ASSIGN(const Json* tried, list(json, "tried", where));
  std::set<Sequence> distinct;
  for (const Json& element : *tried) {
    const std::string place = fmt::format("{}: tried[{}]", where, run.tried.size());
    ORDO_TRY_ASSIGN(Attempt read, attempt(element, header, place));
    if (!distinct.insert(read.actions).second) return corrupt(place, "a sequence that was there before");
    run.tried.push_back(std::move(read));
  }
  return {};
}

Status readStates(const Json& json, const Header& header, const std::string& where, Run& run) {
  if (!json.contains("states")) return {};
  ORDO_TRY_ASSIGN(const Json* states, list(json, "states", where));
  for (const Json& element : *states) {
    const std::string place = fmt::format("{}: states[{}]", where, run.states.size());
    ORDO_TRY_ASSIGN(State read, state(element, header, place));
    run.states.push_back(std::move(read));
  }
  return {};
}

// REQUIRES: the states are read.
Status readBest(const Json& json, const Header& header, const std::string& where, Run& run) {
  ORDO_TRY_ASSIGN(const Json* bests, list(json, "best", where));
  if (bests->size() > header.best)
    return corrupt(where, "the field 'best' has {} sequences, and at most {} are told", bests->size(),
                   header.best);
  for (const Json& element : *bests) {
    const std::string place = fmt::format("{}: best[{}]", where, run.best.size());
    ORDO_TRY_ASSIGN(Best read, best(element, header, run, place));
    run.best.push_back(std::move(read));
  }
  return {};
}

Result<Record> omission(const JsonObject& object) {
  ORDO_TRY(object.onlyHas({"uri", "objective", "left_out"}));
  Omission result;
  ORDO_TRY_ASSIGN(result.uri, word(object, "uri"));
  ORDO_TRY_ASSIGN(result.objective, object.get<std::string>("objective", ""));
  ORDO_TRY_ASSIGN(result.reason, object.get<std::string>("left_out"));
  return result;
}

Result<Record> run(const Json& json, const JsonObject& object, const Header& header) {
  ORDO_TRY(object.onlyHas({"uri", "hash", "objective", "searcher", "seed", "compiles", "cpu_s", "references",
                           "tried", "best", "states"}));
  const std::string& where = object.where();
  Run result;
  ORDO_TRY_ASSIGN(result.key.uri, word(object, "uri"));
  ORDO_TRY_ASSIGN(result.hash, hash(object, "hash"));
  ORDO_TRY_ASSIGN(result.key.objective, word(object, "objective"));
  ORDO_TRY_ASSIGN(result.key.searcher, word(object, "searcher"));
  ORDO_TRY_ASSIGN(result.key.seed, count(object, "seed"));
  ORDO_TRY_ASSIGN(result.compiles, count(object, "compiles"));
  ORDO_TRY_ASSIGN(result.cpu_s, object.get<double>("cpu_s"));
  ORDO_TRY(object.object("references"));
  for (const auto& [reference, measured] : json.at("references").items()) {
    ORDO_TRY_ASSIGN(result.references[reference],
                    values(measured, fmt::format("{}: references: {}", where, reference)));
  }
  ORDO_TRY(readTried(json, header, where, result));
  ORDO_TRY(readStates(json, header, where, result));
  ORDO_TRY(readBest(json, header, where, result));
  return result;
}

}  // namespace

Result<Header> decodeHeader(std::string_view line, std::string_view where) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(line, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(where)));
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("format"));
  if (format > kFormat) {
    return fail(ErrorCode::kUnsupported,
                "{} is experience of format {}, and this Ordo reads up to {}; update Ordo", where, format,
                kFormat);
  }
  if (format < 1) return corrupt(where, "the field 'format' should be at least 1");
  ORDO_TRY(object.onlyHas({"format", "backend", "version", "space", "space_hash", "baseline", "budget",
                           "knowledge", "max_length", "max_instructions", "best", "actions", "observations",
                           "sample"}));
  Header header;
  ORDO_TRY_ASSIGN(header.backend, object.get<std::string>("backend"));
  ORDO_TRY_ASSIGN(header.version, object.get<std::string>("version"));
  ORDO_TRY_ASSIGN(header.space, object.get<std::string>("space"));
  ORDO_TRY_ASSIGN(header.space_hash, hash(object, "space_hash"));
  ORDO_TRY_ASSIGN(header.baseline, object.get<std::string>("baseline"));
  ORDO_TRY_ASSIGN(header.budget, object.get<std::string>("budget"));
  ORDO_TRY_ASSIGN(header.knowledge, object.get<std::string>("knowledge"));
  ORDO_TRY_ASSIGN(header.max_length, count(object, "max_length"));
  ORDO_TRY_ASSIGN(header.max_instructions, count(object, "max_instructions"));
  ORDO_TRY_ASSIGN(header.best, count(object, "best"));
  ORDO_TRY_ASSIGN(header.actions, object.get<std::vector<std::string>>("actions"));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> observations, object.objects("observations"));
  for (const JsonObject& element : observations) {
    ORDO_TRY_ASSIGN(ObservationInfo info, observation(element));
    header.observations.push_back(std::move(info));
  }
  if (json.contains("sample")) {
    ORDO_TRY_ASSIGN(const JsonObject element, object.object("sample"));
    ORDO_TRY_ASSIGN(header.sample, sample(element));
  }
  const std::set<std::string_view> names(header.actions.begin(), header.actions.end());
  if (names.empty() || names.size() != header.actions.size() || names.size() > kMaxNames)
    return corrupt(where, "the field 'actions' should be from 1 to {} names, each once", kMaxNames);
  return header;
}

Result<Record> decodeRecord(std::string_view line, const Header& header, std::string_view where) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(line, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(where)));
  if (json.contains("left_out")) return omission(object);
  return run(json, object, header);
}

}  // namespace ordo::experience
