#include "spaces/notes.h"

#include "spaces/manifest.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::spaces {
namespace {

constexpr std::int64_t kNotesFormat = 1;

std::string keyOf(std::string_view action) {
  if (const std::string_view settled = env::settingOf(action); !settled.empty())
    return fmt::format("{}<{}>", env::kSettingType, settled);
  return std::string(env::partsOf(action).type);
}

}  // namespace

Result<Notes> Notes::parse(std::string_view json, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json document, parseJsonWithUniqueKeys(json, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(document, std::string(name)));
  ORDO_TRY(object.onlyHas({"format", "notes"}));
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("format"));
  if (format != kNotesFormat)
    return fail(ErrorCode::kUnsupported, "{}: format {} is not one that this build reads", name, format);
  ORDO_TRY(object.object("notes"));
  Notes notes;
  for (const auto& [type, entry] : document.at("notes").items()) {
    ORDO_TRY_ASSIGN(const JsonObject fields, JsonObject::of(entry, fmt::format("{}: {}", name, type)));
    ORDO_TRY(fields.onlyHas({"does", "helps"}));
    Note note;
    ORDO_TRY_ASSIGN(note.does, fields.get<std::string>("does"));
    ORDO_TRY_ASSIGN(note.helps, fields.get<std::string>("helps"));
    notes.notes_.emplace(type, std::move(note));
  }
  return notes;
}

Result<Notes> Notes::load(const std::filesystem::path& data, const env::BackendInfo& backend) {
  std::filesystem::path file = manifestFile(data, backend);
  file.replace_filename(file.stem().string() + "-notes.json");
  const Result<std::string> text = readFile(file);
  if (!text && text.error().code == ErrorCode::kNotFound) return Notes();
  if (!text) return fail(Error(text.error()));
  return parse(*text, file.string());
}

const Note* Notes::find(std::string_view action) const {
  const auto found = notes_.find(keyOf(action));
  return found == notes_.end() ? nullptr : &found->second;
}

}  // namespace ordo::spaces
