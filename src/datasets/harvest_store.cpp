// The records are the only index: find() reads the record of the package, looks for the module's name in it,
// and makes the path of its hash. Nothing is remembered between calls. A module that is there is not written
// again, because its name is its content. list() reads the records of all packages; one that the manifest
// does not name is in no split, and only listed where none is asked for.
#include "datasets/harvest_store.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "support/files.h"
#include "support/json.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kRecordFormat = 1;
constexpr std::string_view kPrefix = "debian/";

Result<HarvestedModule> readModule(const JsonObject& object) {
  ORDO_TRY(object.onlyHas({"name", "hash", "language", "flags"}));
  HarvestedModule module;
  ORDO_TRY_ASSIGN(module.name, object.get<std::string>("name"));
  ORDO_TRY_ASSIGN(const std::string hash, object.get<std::string>("hash"));
  const std::optional<Hash128> parsed = Hash128::fromHex(hash);
  if (!parsed) return fail(ErrorCode::kCorrupt, "{}: '{}' is not a hash", object.where(), hash);
  module.hash = *parsed;
  ORDO_TRY_ASSIGN(module.language, object.get<std::string>("language"));
  ORDO_TRY_ASSIGN(module.flags, object.get<std::vector<std::string>>("flags"));
  return module;
}

}  // namespace

std::string writePackageRecord(const PackageRecord& record) {
  Json modules = Json::array();
  for (const HarvestedModule& module : record.modules) {
    modules.push_back({{"name", module.name},
                       {"hash", module.hash.hex()},
                       {"language", module.language},
                       {"flags", module.flags}});
  }
  Json failures = Json::array();
  for (const HarvestFailure& failure : record.failures)
    failures.push_back({{"source", failure.source}, {"reason", failure.reason}});
  return writeJson(Json{{"format", kRecordFormat},
                        {"package", record.package},
                        {"version", record.version},
                        {"recipe", record.recipe},
                        {"licence", record.licence},
                        {"builder", record.builder},
                        {"problem", record.problem},
                        {"notes", record.notes},
                        {"seconds", record.seconds},
                        {"modules", std::move(modules)},
                        {"failures", std::move(failures)}},
                   1) +
         "\n";
}

Result<PackageRecord> parsePackageRecord(std::string_view text, const std::string& name) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, name));
  ORDO_TRY_ASSIGN(const std::int64_t format, object.get<std::int64_t>("format"));
  if (format != kRecordFormat) {
    return fail(ErrorCode::kUnsupported, "{} is a record of format {}, and this Ordo reads {}; harvest again",
                name, format, kRecordFormat);
  }
  ORDO_TRY(object.onlyHas({"format", "package", "version", "recipe", "licence", "builder", "problem", "notes",
                           "seconds", "modules", "failures"}));
  PackageRecord record;
  ORDO_TRY_ASSIGN(record.package, object.get<std::string>("package"));
  ORDO_TRY_ASSIGN(record.version, object.get<std::string>("version"));
  ORDO_TRY_ASSIGN(record.recipe, object.get<std::string>("recipe"));
  ORDO_TRY_ASSIGN(record.licence, object.get<std::string>("licence"));
  ORDO_TRY_ASSIGN(record.builder, object.get<std::string>("builder"));
  ORDO_TRY_ASSIGN(record.problem, object.get<std::string>("problem"));
  ORDO_TRY_ASSIGN(record.notes, object.get<std::vector<std::string>>("notes"));
  ORDO_TRY_ASSIGN(record.seconds, object.get<double>("seconds"));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> modules, object.objects("modules"));
  for (const JsonObject& entry : modules) {
    ORDO_TRY_ASSIGN(HarvestedModule module, readModule(entry));
    record.modules.push_back(std::move(module));
  }
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> failures, object.objects("failures"));
  for (const JsonObject& entry : failures) {
    HarvestFailure failure;
    ORDO_TRY_ASSIGN(failure.source, entry.get<std::string>("source"));
    ORDO_TRY_ASSIGN(failure.reason, entry.get<std::string>("reason"));
    record.failures.push_back(std::move(failure));
  }
  return record;
}

HarvestStore HarvestStore::standard() {
  if (const char* dir = std::getenv("ORDO_DATASETS"); dir != nullptr && *dir != '\0')
    return HarvestStore(dir);
  return HarvestStore(cacheDir() / "datasets");
}

fs::path HarvestStore::modulePath(const Hash128& hash) const {
  const std::string hex = hash.hex();
  return dir_ / "debian" / "modules" / hex.substr(0, 2) / (hex + ".bc");
}

fs::path HarvestStore::recordPath(std::string_view package) const {
  return dir_ / "debian" / "packages" / fmt::format("{}.json", package);
}

fs::path HarvestStore::logPath(std::string_view package) const {
  return dir_ / "debian" / "logs" / fmt::format("{}.log", package);
}

fs::path HarvestStore::copyrightPath(std::string_view package) const {
  return dir_ / "debian" / "copyright" / package;
}

std::vector<std::string> HarvestStore::packages() const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(dir_ / "debian" / "packages", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".json") names.push_back(it->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<PackageRecord> HarvestStore::record(std::string_view package) const {
  const fs::path path = recordPath(package);
  Result<std::string> text = readFile(path);
  if (!text && text.error().code == ErrorCode::kNotFound) {
    return fail(ErrorCode::kNotFound, "the package {} is not in {}; run 'ordo dataset harvest {}'", package,
                dir_.string(), package);
  }
  if (!text) return fail(std::move(text).error());
  return parsePackageRecord(*text, path.string());
}

Result<fs::path> HarvestStore::find(std::string_view uri) const {
  std::string_view rest = uri;
  if (rest.starts_with(kPrefix)) rest.remove_prefix(kPrefix.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos)
    return fail(ErrorCode::kInvalidArgument, "'{}' should be debian/<source package>/<module>", uri);
  ORDO_TRY_ASSIGN(const PackageRecord found, record(rest.substr(0, slash)));
  const std::string_view wanted = rest.substr(slash + 1);
  for (const HarvestedModule& module : found.modules) {
    if (module.name == wanted) return modulePath(module.hash);
  }
  return fail(ErrorCode::kNotFound,
              "the package {} has no module {}; 'ordo dataset status {}' lists its modules", found.package,
              wanted, found.package);
}

Result<std::vector<std::string>> HarvestStore::list(const HarvestManifest& manifest, Split split) const {
  std::vector<std::string> uris;
  for (const std::string& package : packages()) {
    const HarvestPackage* entry = manifest.find(package);
    if (split != Split::kAll && entry == nullptr) continue;
    ORDO_TRY_ASSIGN(const PackageRecord found, record(package));
    for (const HarvestedModule& module : found.modules) {
      if (split == Split::kAll || entry->splitOf(module.name) == split)
        uris.push_back(fmt::format("{}{}/{}", kPrefix, package, module.name));
    }
  }
  std::sort(uris.begin(), uris.end());
  return uris;
}

Status HarvestStore::prepare() const {
  std::error_code error;
  for (const char* name : {"modules", "packages", "copyright", "logs"}) {
    error = makePrivateFolders(dir_ / "debian" / name);
    if (error) {
      return fail(ErrorCode::kUnavailable, "cannot create {}: {}", (dir_ / "debian" / name).string(),
                  error.message());
    }
  }
  return {};
}

Status HarvestStore::addModule(const Hash128& hash, std::string_view bitcode) const {
  const fs::path path = modulePath(hash);
  std::error_code error;
  if (fs::exists(path, error)) return {};
  fs::create_directories(path.parent_path(), error);
  return writeFile(path, bitcode);
}

Status HarvestStore::addRecord(const PackageRecord& record) const {
  return writeFile(recordPath(record.package), writePackageRecord(record));
}

}  // namespace ordo::datasets
