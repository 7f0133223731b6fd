// parse() is the only place where nlohmann's exceptions are caught; everything else asks for the type before
// it takes a value. get() is strict: 1.0 is no whole number, and one too large for the type is an error.
// JsonObject::where() grows with the path into the document ("file: programs[3]"), so that a complaint deep
// inside names its place. parseJsonWithUniqueKeys() watches the keys while they are read, because afterwards
// only the last of two is left.
#include "support/json.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <vector>

namespace ordo {

namespace {

Result<Json> parse(std::string_view text, std::string_view name, const Json::parser_callback_t& callback) {
  try {
    return Json::parse(text, callback);
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    std::string reason = error.what();
    if (const std::size_t end = reason.find("] "); end != std::string::npos) reason = reason.substr(end + 2);
    return fail(ErrorCode::kCorrupt, "{} is not JSON: {}", name, reason);
  }
}

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view name) { return parse(text, name, nullptr); }

Result<Json> parseJsonWithUniqueKeys(std::string_view text, std::string_view name) {
  std::vector<std::set<std::string>> open;  // the keys of each object that is not closed yet
  std::optional<std::string> twice;
  const auto look = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) {
      open.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      open.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const std::string key = value.get<std::string>();
      if (!open.back().insert(key).second && !twice) twice = key;
    }
    return true;
  };
  Result<Json> json = parse(text, name, look);
  if (json && twice) return fail(ErrorCode::kCorrupt, "{}: the field '{}' comes twice", name, *twice);
  return json;
}

std::string writeJson(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Result<JsonObject> JsonObject::of(const Json& json, std::string where) {
  if (!json.is_object()) return fail(ErrorCode::kCorrupt, "{} is not a JSON object", where);
  return JsonObject(json, std::move(where));
}

Result<const Json*> JsonObject::find(std::string_view key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) return fail(ErrorCode::kCorrupt, "{}: the field '{}' is missing", where_, key);
  return &*found;
}

tl::unexpected<Error> JsonObject::wrongType(std::string_view key, std::string_view wanted) const {
  return fail(ErrorCode::kCorrupt, "{}: the field '{}' should be {}", where_, key, wanted);
}

template <>
Result<std::string> JsonObject::get(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  if (!value->is_string()) return wrongType(key, "a string");
  return value->get<std::string>();
}

template <>
Result<double> JsonObject::get(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  if (!value->is_number()) return wrongType(key, "a number");
  return value->get<double>();
}

template <>
Result<std::int64_t> JsonObject::get(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  const bool too_large =
      value->is_number_unsigned() &&
      value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!value->is_number_integer() || too_large) return wrongType(key, "a whole number");
  return value->get<std::int64_t>();
}

template <>
Result<bool> JsonObject::get(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  if (!value->is_boolean()) return wrongType(key, "true or false");
  return value->get<bool>();
}

template <>
Result<std::vector<std::string>> JsonObject::get(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  if (!value->is_array()) return wrongType(key, "a list of strings");
  std::vector<std::string> words;
  for (const Json& word : *value) {
    if (!word.is_string()) return wrongType(key, "a list of strings");
    words.push_back(word.get<std::string>());
  }
  return words;
}

template <>
Result<std::vector<double>> JsonObject::get(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  if (!value->is_array()) return wrongType(key, "a list of numbers");
  std::vector<double> numbers;
  for (const Json& number : *value) {
    if (!number.is_number()) return wrongType(key, "a list of numbers");
    numbers.push_back(number.get<double>());
  }
  return numbers;
}

Result<JsonObject> JsonObject::object(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  return of(*value, fmt::format("{}: {}", where_, key));
}

Result<std::vector<JsonObject>> JsonObject::objects(std::string_view key) const {
  ORDO_TRY_ASSIGN(const Json* value, find(key));
  if (!value->is_array()) return wrongType(key, "a list of objects");
  std::vector<JsonObject> objects;
  for (const Json& element : *value) {
    ORDO_TRY_ASSIGN(JsonObject object, of(element, fmt::format("{}: {}[{}]", where_, key, objects.size())));
    objects.push_back(std::move(object));
  }
  return objects;
}

Status JsonObject::onlyHas(std::initializer_list<std::string_view> known) const {
  for (const auto& [key, value] : json_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return fail(ErrorCode::kCorrupt, "{}: unknown field '{}'", where_, key);
    }
  }
  return {};
}

Result<Json> JsonObject::flatWithout(std::initializer_list<std::string_view> known) const {
  Json rest = Json::object();
  for (const auto& [key, value] : json_->items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const bool flat =
        value.is_primitive() ||
        (value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_primitive(); }));
    if (!flat) return fail(ErrorCode::kCorrupt, "{}: the field '{}' is nested", where_, key);
    rest[key] = value;
  }
  return rest;
}

}  // namespace ordo
