#include "recipe/lock.h"

#include <algorithm>
#include <tuple>

#include "recipe/action_text.h"
#include "recipe/seal.h"
#include "support/json.h"

namespace ordo::recipe {
namespace {

constexpr std::int64_t kFirstSealedLock = 2;
constexpr std::int64_t kFirstWithoutPasses = 3;

Result<LockedFile> fileFrom(const Json& json, const JsonObject& object) {
  ORDO_TRY(object.onlyHas(
      {"source", "module", "objective", "baseline", "tuned", "flags", "codegen", "actions", "checksum"}));
  LockedFile file;
  ORDO_TRY_ASSIGN(file.source, object.get<std::string>("source"));
  ORDO_TRY_ASSIGN(const std::string module, object.get<std::string>("module"));
  const std::optional<Hash128> hash = Hash128::fromHex(module);
  if (!hash) {
    return fail(ErrorCode::kCorrupt, "{}: the field 'module' should be 32 hexadecimal digits",
                object.where());
  }
  file.module = *hash;
  ORDO_TRY_ASSIGN(file.objective, object.get<std::string>("objective"));
  ORDO_TRY_ASSIGN(file.baseline, object.get<double>("baseline"));
  ORDO_TRY_ASSIGN(file.tuned, object.get<double>("tuned"));
  if (json.contains("flags")) {
    ORDO_TRY_ASSIGN(file.flags, object.get<std::vector<std::string>>("flags"));
  }
  ORDO_TRY_ASSIGN(const JsonObject codegen, object.object("codegen"));
  ORDO_TRY_ASSIGN(file.order.settings, settingsFrom(codegen, {}));
  ORDO_TRY_ASSIGN(file.order.actions, actionsFrom(object, "actions"));
  return file;
}

}  // namespace

const LockedFile* Lock::find(const Hash128& module) const {
  const auto found = std::ranges::find(files, module, &LockedFile::module);
  return found == files.end() ? nullptr : &*found;
}

const LockedFile* Lock::find(const Hash128& module, const std::vector<std::string>& flags) const {
  const auto found = std::ranges::find_if(files, [&](const LockedFile& file) {
    return file.module == module && (!file.flags || *file.flags == flags);
  });
  return found == files.end() ? nullptr : &*found;
}

std::string writeLock(Lock lock) {
  std::ranges::sort(lock.files, {},
                    [](const LockedFile& file) { return std::tie(file.source, file.module, file.flags); });
  Json files = Json::array();
  for (const LockedFile& file : lock.files) {
    Json codegen = Json::object();
    addSettings(codegen, file.order.settings);
    files.push_back({{"source", file.source},
                     {"module", file.module.hex()},
                     {"objective", file.objective},
                     {"baseline", file.baseline},
                     {"tuned", file.tuned},
                     {"codegen", std::move(codegen)},
                     {"actions", toJson(file.order.actions)}});
    if (file.flags) files.back()["flags"] = *file.flags;
    // Of each file, so that locks can be merged.
    seal(files.back());
  }
  return writeJson(Json{{"format", kLockFormat}, {"files", std::move(files)}}, 1) + '\n';
}

Result<Lock> parseLock(std::string_view text, std::string_view name) {
  ORDO_TRY_ASSIGN(const Json json, parseJsonWithUniqueKeys(text, name));
  ORDO_TRY_ASSIGN(const JsonObject root, JsonObject::of(json, std::string(name)));
  ORDO_TRY_ASSIGN(const std::int64_t format, root.get<std::int64_t>("format"));
  if (format > kLockFormat)
    return fail(ErrorCode::kUnsupported, "{} has format {}, and this Ordo reads up to {}; update Ordo", name,
                format, kLockFormat);
  if (format < 1) return fail(ErrorCode::kCorrupt, "{}: the field 'format' should be at least 1", name);
  ORDO_TRY(root.onlyHas({"format", "files"}));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> rows, root.objects("files"));
  Lock lock;
  for (const JsonObject& row : rows) {
    const Json& whole = json["files"][lock.files.size()];
    ORDO_TRY_ASSIGN(LockedFile file, fileFrom(whole, row));
    if (format >= kFirstSealedLock) ORDO_TRY(checkSeal(whole, row));
    if (format < kFirstWithoutPasses && file.order.actions.empty()) file.order = {};
    lock.files.push_back(std::move(file));
  }
  return lock;
}

}  // namespace ordo::recipe
