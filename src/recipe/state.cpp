// There is one reader, fromJson(): a line of CSV is first made the JSON object that the other kind of file
// would have (objectOf()), with the first line for the names, so that columns may come in any order. Files
// are cut into lines before anything else, so a cell never spans two. Writers of both kinds begin with
// toJson(), and so numbers look the same in both.
#include "recipe/state.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/json.h"
#include "support/text.h"

namespace ordo::recipe {
namespace {

constexpr std::array<std::string_view, 12> kColumns{"format", "program",    "level",   "program_hash",
                                                    "space",  "space_hash", "actions", "metric",
                                                    "value",  "reward",     "return",  "walltime_s"};

Json toJson(const State& state) {
  return {{"format", kStateFormat},
          {"program", state.program},
          {"level", state.level},
          {"program_hash", state.program_hash.hex()},
          {"space", state.space},
          {"space_hash", state.space_hash.hex()},
          {"actions", state.actions},
          {"metric", state.metric},
          {"value", state.value},
          {"reward", state.reward},
          {"return", state.earned ? Json(*state.earned) : Json(nullptr)},
          {"walltime_s", state.walltime_s}};
}

Result<Hash128> hashFrom(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::string text, object.get<std::string>(key));
  if (const std::optional<Hash128> hash = Hash128::fromHex(text)) return *hash;
  return fail(ErrorCode::kCorrupt, "{}: the field '{}' should be 32 hexadecimal digits", object.where(), key);
}

Result<State> fromJson(const Json& json, const std::string& where) {
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  // The format first: the fields of a newer one are unknown for a reason.
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("format"));
  if (format > kStateFormat) {
    return fail(ErrorCode::kUnsupported,
                "{}: format {} is newer than this Ordo, which reads up to {}; "
                "upgrade Ordo",
                where, format, kStateFormat);
  }
  if (format < 1) return fail(ErrorCode::kCorrupt, "{}: the first format is 1, not {}", where, format);
  ORDO_TRY(object.onlyHas({"format", "program", "level", "program_hash", "space", "space_hash", "actions",
                           "metric", "value", "reward", "return", "walltime_s"}));
  State state;
  ORDO_TRY_ASSIGN(state.program, object.get<std::string>("program"));
  ORDO_TRY_ASSIGN(state.level, object.get<std::string>("level"));
  ORDO_TRY_ASSIGN(state.program_hash, hashFrom(object, "program_hash"));
  ORDO_TRY_ASSIGN(state.space, object.get<std::string>("space"));
  ORDO_TRY_ASSIGN(state.space_hash, hashFrom(object, "space_hash"));
  ORDO_TRY_ASSIGN(state.actions, object.get<std::vector<std::string>>("actions"));
  ORDO_TRY_ASSIGN(state.metric, object.get<std::string>("metric"));
  ORDO_TRY_ASSIGN(state.value, object.get<double>("value"));
  ORDO_TRY_ASSIGN(state.reward, object.get<std::string>("reward"));
  if (!json.contains("return") || !json["return"].is_null()) {
    ORDO_TRY_ASSIGN(state.earned, object.get<double>("return"));
  }
  if (state.earned.has_value() == state.reward.empty()) {
    return fail(ErrorCode::kCorrupt, "{}: 'return' is what 'reward' earned: both must be there or neither",
                where);
  }
  ORDO_TRY_ASSIGN(state.walltime_s, object.get<double>("walltime_s"));
  return state;
}

// A cell as RFC 4180 has it.
std::string csvCell(std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(cell);
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

Result<std::vector<std::string>> cells(std::string_view line, const std::string& where) {
  std::vector<std::string> found;
  for (std::size_t at = 0;; ++at) {
    std::string cell;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size())
          return fail(ErrorCode::kCorrupt, "{}: a quote is not closed; a cell is on one line", where);
        if (line[at] == '"' && (at + 1 >= line.size() || line[at + 1] != '"')) break;
        if (line[at] == '"') ++at;
        cell += line[at];
      }
      ++at;
      if (at < line.size() && line[at] != ',')
        return fail(ErrorCode::kCorrupt, "{}: there is something between a closing quote and the comma",
                    where);
    } else {
      for (; at < line.size() && line[at] != ','; ++at) cell += line[at];
    }
    found.push_back(std::move(cell));
    if (at >= line.size()) return found;
  }
}

Json wordsOf(std::string_view text) {
  Json words = Json::array();
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(std::string(text.substr(at, end - at)));
    at = end;
  }
  return words;
}

// The cells of a line as the JSON object that the other kind of file has.
Result<Json> objectOf(const std::vector<std::string>& columns, const std::vector<std::string>& row,
                      const std::string& where) {
  if (row.size() != columns.size()) {
    return fail(ErrorCode::kCorrupt, "{}: {} cells, but the first line names {} columns", where, row.size(),
                columns.size());
  }
  Json object = Json::object();
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& column = columns[i];
    if (column == "actions") {
      object[column] = wordsOf(row[i]);
    } else if (column == "return" && row[i].empty()) {
      object[column] = nullptr;
    } else if (column == "format" || column == "value" || column == "return" || column == "walltime_s") {
      ORDO_TRY_ASSIGN(object[column], parseJson(row[i], fmt::format("{}: the cell '{}'", where, column)));
    } else {
      object[column] = row[i];
    }
  }
  return object;
}

Status checkColumns(const std::vector<std::string>& columns, const std::string& where) {
  const std::vector<std::string> known(kColumns.begin(), kColumns.end());
  for (const std::string& column : columns) {
    if (std::find(known.begin(), known.end(), column) == known.end())
      return fail(ErrorCode::kCorrupt, "{}: {}", where, unknownName("column", column, known));
    if (std::count(columns.begin(), columns.end(), column) > 1)
      return fail(ErrorCode::kCorrupt, "{}: the column '{}' is there twice", where, column);
  }
  return {};
}

}  // namespace

std::string writeStateJson(const State& state) { return writeJson(toJson(state)); }

std::string stateCsvHeader() { return fmt::format("{}", fmt::join(kColumns, ",")); }

Result<std::string> writeStateCsv(const State& state) {
  for (const std::string& action : state.actions) {
    if (action.find_first_of(" \t\r\n") == std::string::npos && !action.empty()) continue;
    return fail(ErrorCode::kInvalidArgument, "the action '{}' is not one word; write JSON lines instead",
                action);
  }
  const Json json = toJson(state);
  std::string line;
  for (const std::string_view column : kColumns) {
    const Json& value = json[std::string(column)];
    if (column != kColumns.front()) line += ',';
    if (column == "actions") {
      line += csvCell(fmt::format("{}", fmt::join(state.actions, " ")));
    } else if (value.is_string()) {
      line += csvCell(value.get<std::string>());
    } else if (!value.is_null()) {
      line += writeJson(value);
    }
  }
  return line;
}

Result<std::vector<State>> parseStates(std::string_view text, std::string_view name) {
  std::vector<State> states;
  std::vector<std::string> columns;
  bool csv = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::string where = fmt::format("{}:{}", name, number);
    if (states.empty() && columns.empty() && line.front() != '{') {
      csv = true;
      ORDO_TRY_ASSIGN(columns, cells(line, where));
      ORDO_TRY(checkColumns(columns, where));
      continue;
    }
    Json json;
    if (csv) {
      ORDO_TRY_ASSIGN(const std::vector<std::string> row, cells(line, where));
      ORDO_TRY_ASSIGN(json, objectOf(columns, row, where));
    } else {
      ORDO_TRY_ASSIGN(json, parseJson(line, where));
    }
    ORDO_TRY_ASSIGN(State state, fromJson(json, where));
    states.push_back(std::move(state));
  }
  if (states.empty()) return fail(ErrorCode::kCorrupt, "{}: there is no state in it", name);
  return states;
}

}  // namespace ordo::recipe
