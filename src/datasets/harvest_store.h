// Where harvested modules lie: bitcode by content, and one record per package that names it.
//
//   <store>/debian/modules/<xx>/<hash>.bc   unoptimised bitcode; <xx> are the first two digits
//   <store>/debian/packages/<name>.json     PackageRecord (docs/formats/harvest-store.md)
//   <store>/debian/copyright/<name>         debian/copyright of the package
//   <store>/debian/logs/<name>.log          what its build said
//
// Threads: a store may be read and written by several threads and processes; files appear whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/harvest_manifest.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::datasets {

struct HarvestedModule {
  std::string name;  // path of the source in the package: "lib/inflate.c", "lib/inflate.c@2" for a variant
  Hash128 hash;      // of the bitcode
  std::string language;
  std::vector<std::string> flags;  // it was compiled with, besides those every module is compiled with
};

struct HarvestFailure {
  std::string source;
  std::string reason;
};

struct PackageRecord {
  std::string package;
  std::string version;
  std::string recipe;                    // HarvestManifest::recipe() it was made by, in hexadecimal
  std::string licence;                   // short names of debian/copyright, or "see debian/copyright"
  std::string builder;                   // configure, cmake, meson, make, script
  std::string problem;                   // why there are no modules at all, or ""
  std::vector<std::string> notes;        // what did not go well but cost only some modules
  std::vector<HarvestedModule> modules;  // by name
  std::vector<HarvestFailure> failures;  // by source: files that gave no module
  double seconds = 0;
};

std::string writePackageRecord(const PackageRecord& record);
// kCorrupt or kUnsupported; `name` is for messages.
Result<PackageRecord> parsePackageRecord(std::string_view text, const std::string& name);

class HarvestStore {
 public:
  explicit HarvestStore(std::filesystem::path dir) : dir_(std::move(dir)) {}

  // $ORDO_DATASETS, or <cacheDir()>/datasets.
  static HarvestStore standard();

  const std::filesystem::path& dir() const { return dir_; }
  std::filesystem::path modulePath(const Hash128& hash) const;
  std::filesystem::path recordPath(std::string_view package) const;
  std::filesystem::path logPath(std::string_view package) const;
  std::filesystem::path copyrightPath(std::string_view package) const;

  // The names of all packages with a record, sorted; empty if there is no store.
  std::vector<std::string> packages() const;
  // kNotFound with the command to run if the package was not harvested.
  Result<PackageRecord> record(std::string_view package) const;

  // The bitcode of `debian/<package>/<module>`, or of `<package>/<module>`. kNotFound.
  Result<std::filesystem::path> find(std::string_view uri) const;

  // URIs of the modules of the packages that `manifest` puts into `split`, or of all packages; sorted.
  Result<std::vector<std::string>> list(const HarvestManifest& manifest, Split split) const;

  // kUnavailable with the system's reason.
  Status prepare() const;
  Status addModule(const Hash128& hash, std::string_view bitcode) const;
  Status addRecord(const PackageRecord& record) const;

 private:
  std::filesystem::path dir_;
};

}  // namespace ordo::datasets
