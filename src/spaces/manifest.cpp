// Reading is strict by Fields: it notes which fields were taken, and every parse function ends with
// nothingElse(), so that neither a missing nor a misspelt field goes unnoticed. Enumerators are names in
// arrays, by their place: an array and its enum change together. Writing puts one row on one line and
// replaces bytes that are not UTF-8, because a probe's details may be what a dying worker said.
#include "spaces/manifest.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "notation/action.h"
#include "notation/pass_options.h"
#include "support/files.h"

namespace ordo::spaces {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

constexpr std::array<std::string_view, 6> kRowKinds{"pass",      "variant", "composite",
                                                    "attribute", "codegen", "option"};
constexpr std::array<std::string_view, 7> kStatuses{"ok",     "rejected", "exports", "verifier",
                                                    "memory", "hang",     "crash"};
constexpr std::array<std::string_view, 5> kTrapKinds{"unsound", "crash", "nondeterministic",
                                                     "not-an-optimisation", "needs-runtime"};

template <typename Enum, std::size_t N>
std::optional<Enum> fromName(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// A JSON object whose fields are taken one at a time. Each must be there, and in the end none may
// be left: a misspelt field would otherwise be silently ignored.
class Fields {
 public:
  static Result<Fields> of(const Json& value, std::string where) {
    if (!value.is_object()) return fail(ErrorCode::kCorrupt, "{} is not a JSON object", where);
    return Fields(value, std::move(where));
  }

  Result<const Json*> take(const char* field) {
    const auto found = value_->find(field);
    if (found == value_->end()) return fail(ErrorCode::kCorrupt, "{} has no '{}'", where_, field);
    taken_.push_back(field);
    return &*found;
  }

  Result<std::string> string(const char* field) {
    ORDO_TRY_ASSIGN(const Json* value, take(field));
    if (!value->is_string()) return wrong(field, "a string");
    return value->get<std::string>();
  }

  Result<std::uint32_t> count(const char* field) {
    ORDO_TRY_ASSIGN(const Json* value, take(field));
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > UINT32_MAX)
      return wrong(field, "a count");
    return value->get<std::uint32_t>();
  }

  Result<bool> boolean(const char* field) {
    ORDO_TRY_ASSIGN(const Json* value, take(field));
    if (!value->is_boolean()) return wrong(field, "true or false");
    return value->get<bool>();
  }

  Result<const Json*> array(const char* field) {
    ORDO_TRY_ASSIGN(const Json* value, take(field));
    if (!value->is_array()) return wrong(field, "a list");
    return value;
  }

  template <typename Enum, std::size_t N>
  Result<Enum> oneOf(const char* field, const std::array<std::string_view, N>& names) {
    ORDO_TRY_ASSIGN(const std::string word, string(field));
    const std::optional<Enum> value = fromName<Enum>(names, word);
    if (!value) return wrong(field, fmt::format("one of {}", fmt::join(names, ", ")));
    return *value;
  }

  Result<Fields> object(const char* field) {
    ORDO_TRY_ASSIGN(const Json* value, take(field));
    return of(*value, fmt::format("'{}' of {}", field, where_));
  }

  tl::unexpected<Error> wrong(const char* field, std::string_view expected) const {
    return fail(ErrorCode::kCorrupt, "'{}' of {} is not {}", field, where_, expected);
  }

  Status nothingElse() const {
    for (const auto& [field, value] : value_->items()) {
      if (std::find(taken_.begin(), taken_.end(), field) == taken_.end()) {
        return fail(ErrorCode::kCorrupt, "{} has an unknown field '{}'", where_, field);
      }
    }
    return {};
  }

 private:
  Fields(const Json& value, std::string where) : value_(&value), where_(std::move(where)) {}

  const Json* value_;
  std::string where_;
  std::vector<std::string_view> taken_;
};

bool isPrintable(char c) { return c > ' ' && c < '\x7f'; }

// Texts go into hashes and command lines, where a line break would have a meaning.
bool isText(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || isPrintable(c); });
}

Result<ProbeResult> parseProbe(Fields fields) {
  ProbeResult probe;
  ORDO_TRY_ASSIGN(probe.status, fields.oneOf<ProbeStatus>("status", kStatuses));
  ORDO_TRY_ASSIGN(probe.changed, fields.count("changed"));
  ORDO_TRY_ASSIGN(probe.of, fields.count("of"));
  if (probe.changed > probe.of) return fields.wrong("changed", "at most 'of'");
  ORDO_TRY_ASSIGN(probe.deterministic, fields.boolean("deterministic"));
  ORDO_TRY_ASSIGN(probe.detail, fields.string("detail"));
  ORDO_TRY(fields.nothingElse());
  return probe;
}

Result<Trap> parseTrap(Fields fields) {
  Trap trap;
  ORDO_TRY_ASSIGN(trap.kind, fields.oneOf<TrapKind>("kind", kTrapKinds));
  ORDO_TRY_ASSIGN(trap.reason, fields.string("reason"));
  ORDO_TRY(fields.nothingElse());
  return trap;
}

Result<ManifestRow> parseRow(const Json& json, std::size_t number) {
  // The row is known by its place until its name has been read.
  ORDO_TRY_ASSIGN(Fields unnamed, Fields::of(json, fmt::format("row {}", number)));
  ManifestRow row;
  ORDO_TRY_ASSIGN(row.name, unnamed.string("name"));
  if (!isActionName(row.name)) return unnamed.wrong("name", "a name (one word of printable ASCII)");

  ORDO_TRY_ASSIGN(Fields fields, Fields::of(json, fmt::format("row {} ({})", number, row.name)));
  ORDO_TRY(fields.take("name"));
  ORDO_TRY_ASSIGN(row.kind, fields.oneOf<RowKind>("kind", kRowKinds));
  ORDO_TRY_ASSIGN(row.level, fields.string("level"));
  ORDO_TRY_ASSIGN(row.text, fields.string("text"));
  if (!isText(row.text)) return fields.wrong("text", "printable text");
  if (row.kind == RowKind::kAttribute &&
      (row.text.size() < 2 || (row.text[0] != '+' && row.text[0] != '-'))) {
    return fields.wrong("text", "an attribute with + or - before it");
  }
  if (row.kind == RowKind::kCodegen && (row.text.size() < 2 || row.text[0] != '-'))
    return fields.wrong("text", "an option with - before it");
  if (row.kind == RowKind::kOption && !notation::isPassOption(row.text))
    return fields.wrong("text", "an option of passes that is known");
  ORDO_TRY_ASSIGN(row.params, fields.string("params"));
  ORDO_TRY_ASSIGN(Fields probe, fields.object("probe"));
  ORDO_TRY_ASSIGN(row.probe, parseProbe(std::move(probe)));
  ORDO_TRY_ASSIGN(const Json* trap, fields.take("trap"));
  if (!trap->is_null()) {
    ORDO_TRY_ASSIGN(Fields trap_fields, fields.object("trap"));
    ORDO_TRY_ASSIGN(row.trap, parseTrap(std::move(trap_fields)));
  }
  ORDO_TRY(fields.nothingElse());
  return row;
}

Result<Skipped> parseSkipped(const Json& json, std::size_t number) {
  ORDO_TRY_ASSIGN(Fields fields, Fields::of(json, fmt::format("skipped {}", number)));
  Skipped skipped;
  ORDO_TRY_ASSIGN(skipped.name, fields.string("name"));
  ORDO_TRY_ASSIGN(skipped.level, fields.string("level"));
  ORDO_TRY_ASSIGN(skipped.reason, fields.string("reason"));
  ORDO_TRY(fields.nothingElse());
  return skipped;
}

Result<Json> parseJson(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kCorrupt, "not JSON: {}", error.what());
  }
}

Json toJson(const ManifestRow& row) {
  Json json{{"name", row.name},
            {"kind", name(row.kind)},
            {"level", row.level},
            {"text", row.text},
            {"params", row.params},
            {"probe",
             {{"status", name(row.probe.status)},
              {"changed", row.probe.changed},
              {"of", row.probe.of},
              {"deterministic", row.probe.deterministic},
              {"detail", row.probe.detail}}},
            {"trap", nullptr}};
  if (row.trap) json["trap"] = {{"kind", name(row.trap->kind)}, {"reason", row.trap->reason}};
  return json;
}

Json toJson(const Skipped& skipped) {
  return {{"name", skipped.name}, {"level", skipped.level}, {"reason", skipped.reason}};
}

// On one line. What a dying worker said need not be UTF-8.
std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <typename T>
void appendList(std::string& out, const char* field, const std::vector<T>& items) {
  out += fmt::format("  \"{}\": [", field);
  const char* separator = "\n    ";
  for (const T& item : items) {
    out += separator + line(toJson(item));
    separator = ",\n    ";
  }
  out += items.empty() ? "]" : "\n  ]";
}

}  // namespace

std::string_view name(RowKind kind) { return kRowKinds[static_cast<std::size_t>(kind)]; }
std::string_view name(ProbeStatus status) { return kStatuses[static_cast<std::size_t>(status)]; }
std::string_view name(TrapKind kind) { return kTrapKinds[static_cast<std::size_t>(kind)]; }
std::optional<TrapKind> trapKind(std::string_view name) { return fromName<TrapKind>(kTrapKinds, name); }

bool isActionName(std::string_view name) {
  return !name.empty() && name.front() != '#' && std::all_of(name.begin(), name.end(), isPrintable);
}

const char* actionKind(RowKind kind) {
  switch (kind) {
    case RowKind::kAttribute:
      return notation::kAttribute;
    case RowKind::kCodegen:
      return notation::kCodegen;
    case RowKind::kOption:
      return notation::kOption;
    default:
      return notation::kPipeline;
  }
}

env::Action ManifestRow::action() const { return {name, actionKind(kind), text}; }

const ManifestRow* Manifest::find(std::string_view action) const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const ManifestRow& row) { return row.name == action; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> Manifest::names() const {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const ManifestRow& row : rows) names.push_back(row.name);
  return names;
}

Result<Manifest> parseManifest(std::string_view text) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text));
  ORDO_TRY_ASSIGN(Fields fields, Fields::of(json, "the manifest"));
  ORDO_TRY_ASSIGN(const std::uint32_t format, fields.count("format"));
  if (format != kFormat) {
    return fail(ErrorCode::kUnsupported, "the manifest has format {}; this build reads format {}", format,
                kFormat);
  }
  Manifest manifest;
  ORDO_TRY_ASSIGN(manifest.backend, fields.string("backend"));
  ORDO_TRY_ASSIGN(manifest.version, fields.string("version"));
  ORDO_TRY_ASSIGN(manifest.build, fields.string("build"));
  ORDO_TRY_ASSIGN(manifest.target, fields.string("target"));
  ORDO_TRY_ASSIGN(manifest.generated_by, fields.string("generated_by"));
  ORDO_TRY_ASSIGN(Fields corpus, fields.object("corpus"));
  ORDO_TRY_ASSIGN(const Json* programs, corpus.array("programs"));
  for (const Json& program : *programs) {
    if (!program.is_string()) return corpus.wrong("programs", "a list of names");
    manifest.programs.push_back(program.get<std::string>());
  }
  ORDO_TRY_ASSIGN(manifest.corpus_hash, corpus.string("hash"));
  ORDO_TRY(corpus.nothingElse());

  ORDO_TRY_ASSIGN(const Json* rows, fields.array("rows"));
  std::unordered_set<std::string> seen;
  for (const Json& row_json : *rows) {
    ORDO_TRY_ASSIGN(ManifestRow row, parseRow(row_json, manifest.rows.size() + 1));
    if (!seen.insert(row.name).second) {
      return fail(ErrorCode::kCorrupt, "row {} ({}) repeats the name of an earlier row",
                  manifest.rows.size() + 1, row.name);
    }
    manifest.rows.push_back(std::move(row));
  }
  ORDO_TRY_ASSIGN(const Json* skipped, fields.array("skipped"));
  for (const Json& skipped_json : *skipped) {
    ORDO_TRY_ASSIGN(Skipped entry, parseSkipped(skipped_json, manifest.skipped.size() + 1));
    manifest.skipped.push_back(std::move(entry));
  }
  ORDO_TRY(fields.nothingElse());
  return manifest;
}

std::string writeManifest(const Manifest& manifest) {
  const Json corpus{{"programs", manifest.programs}, {"hash", manifest.corpus_hash}};
  std::string out = fmt::format("{{\n  \"format\": {},\n", kFormat);
  for (const auto& [field, value] : {std::pair{"backend", Json(manifest.backend)},
                                     {"version", Json(manifest.version)},
                                     {"build", Json(manifest.build)},
                                     {"target", Json(manifest.target)},
                                     {"generated_by", Json(manifest.generated_by)},
                                     {"corpus", corpus}}) {
    out += fmt::format("  \"{}\": {},\n", field, line(value));
  }
  appendList(out, "rows", manifest.rows);
  out += ",\n";
  appendList(out, "skipped", manifest.skipped);
  return out + "\n}\n";
}

std::filesystem::path manifestFile(const std::filesystem::path& data, const env::BackendInfo& backend) {
  // Patch releases fix bugs; the set of passes changes with minor ones.
  const std::size_t minor = backend.version.find('.');
  const std::size_t patch = minor == std::string::npos ? minor : backend.version.find('.', minor + 1);
  return data / "actions" / fmt::format("{}-{}.json", backend.name, backend.version.substr(0, patch));
}

Result<Manifest> loadManifest(const std::filesystem::path& data, const env::BackendInfo& backend) {
  const std::filesystem::path file = manifestFile(data, backend);
  Result<std::string> text = readFile(file);
  if (!text && text.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kUnsupported,
                "no actions are known for {} {} ({} does not exist); make them with "
                "`ordo actions discover`",
                backend.name, backend.version, file.string());
  }
  if (!text) return fail(std::move(text).error());
  Result<Manifest> manifest = parseManifest(*text);
  if (!manifest) return fail(std::move(manifest).error().context(file.string()));
  return manifest;
}

}  // namespace ordo::spaces
