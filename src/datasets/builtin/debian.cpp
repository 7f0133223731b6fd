// Modules of Debian's source packages, as `ordo dataset harvest` has stored them: unoptimised bitcode of
// real programs. The split is by package and stands in the manifest; packages that published benchmarks
// are made of are for final evaluation only.
#include <map>
#include <memory>
#include <mutex>

#include "datasets/dataset.h"
#include "datasets/harvest_manifest.h"
#include "datasets/harvest_store.h"
#include "support/files.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;

Status available() {
  const HarvestStore store = HarvestStore::standard();
  if (!store.packages().empty()) return {};
  return fail(ErrorCode::kUnavailable,
              "nothing has been harvested into {}; run 'ordo dataset harvest --all', or set ORDO_DATASETS to "
              "the folder of a harvest",
              store.dir().string());
}

// Read once per process: a learner loads modules by the thousand, and records are long.
Result<std::shared_ptr<const HarvestManifest>> manifest() {
  static std::mutex mutex;
  static std::map<fs::path, std::shared_ptr<const HarvestManifest>> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const HarvestManifest>& entry = known[dataDir()];
  if (entry == nullptr) {
    ORDO_TRY_ASSIGN(HarvestManifest read, loadHarvestManifest(dataDir()));
    entry = std::make_shared<const HarvestManifest>(std::move(read));
  }
  return entry;
}

// Where the modules of a package lie, by name.
using Places = std::map<std::string, fs::path, std::less<>>;

Result<std::shared_ptr<const Places>> placesOf(std::string_view package) {
  static std::mutex mutex;
  static std::map<fs::path, std::shared_ptr<const Places>> known;
  const HarvestStore store = HarvestStore::standard();
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Places>& entry = known[store.recordPath(package)];
  if (entry == nullptr) {
    const Result<PackageRecord> record = store.record(package);
    if (!record) return fail(record.error());
    auto places = std::make_shared<Places>();
    for (const HarvestedModule& module : record->modules)
      places->emplace(module.name, store.modulePath(module.hash));
    entry = std::move(places);
  }
  return entry;
}

Result<Program> load(std::string_view rest) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash + 1 == rest.size()) {
    return fail(ErrorCode::kInvalidArgument,
                "debian/{0} is a package; name one of its modules ('ordo list programs debian/{0}')",
                rest.substr(0, slash));
  }
  const std::string_view package = rest.substr(0, slash), module = rest.substr(slash + 1);
  ORDO_TRY_ASSIGN(const std::shared_ptr<const Places> places, placesOf(package));
  const auto found = places->find(module);
  if (found == places->end()) {
    return fail(ErrorCode::kNotFound,
                "the package {0} has no module {1}; 'ordo list programs debian/{0}' shows its modules",
                package, module);
  }
  ORDO_TRY_ASSIGN(Program program, loadPath(found->second));
  program.name = fs::path(module).stem().string();
  program.summary = fmt::format("{} of {}", module, package);
  ORDO_TRY_ASSIGN(const std::shared_ptr<const HarvestManifest> harvested, manifest());
  const HarvestPackage* entry = harvested->find(package);
  if (entry != nullptr) {
    program.evaluation_only = !entry->reserved.empty();
    program.split = entry->splitOf(module);
  }
  return program;
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  ORDO_TRY_ASSIGN(const std::shared_ptr<const HarvestManifest> harvested, manifest());
  ORDO_TRY_ASSIGN(std::vector<std::string> uris, HarvestStore::standard().list(*harvested, options.split));
  if (!rest.empty()) {
    // A module, or a package or a folder of one.
    const std::string wanted = fmt::format("debian/{}", rest),
                      prefix = wanted + (rest.ends_with('/') ? "" : "/");
    std::erase_if(uris, [&](const std::string& uri) { return uri != wanted && !uri.starts_with(prefix); });
    if (uris.empty()) {
      // Says what to do if the package was not harvested.
      ORDO_TRY(placesOf(rest.substr(0, rest.find('/'))));
    }
  }
  return select(std::move(uris), options);
}

}  // namespace

extern constinit const DatasetInfo debian{.name = "debian",
                                          .pattern = "debian/<source package>/<module>",
                                          .summary = "modules of Debian packages (ordo dataset harvest)",
                                          .has_splits = true,
                                          .available = available,
                                          .load = load,
                                          .list = list};

}  // namespace ordo::datasets
