// Harvesting: from names of Debian source packages, or a folder with sources, to modules in a store.
//
//   fetch -> unpack -> prepare -> configure -> make with the capturing compiler -> collect -> clean up
//
// Packages are worked on side by side, each to its end. A package that cannot be built is data (a record
// with a problem, and a log); an Error means that Ordo itself could not go on.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/harvest_manifest.h"
#include "datasets/harvest_store.h"
#include "support/error.h"

namespace ordo::harvest {

struct HarvestOptions {
  datasets::HarvestStore store;
  std::filesystem::path work;     // downloads, headers and builds
  std::filesystem::path wrapper;  // the program ordo-capture
  unsigned jobs = 1;              // packages at a time, and compilers at a time within each
  double limit_s = 1800;          // per package and step
  bool retry = false;             // packages that gave nothing last time
  bool keep_sources = false;      // do not delete downloads
  bool keep_builds = false;       // nor what was built
  // A folder with the sources of the only package, instead of the archive; built against the system.
  std::filesystem::path from;
  const std::atomic<bool>* stop = nullptr;
  // Called from several threads, one at a time.
  std::function<void(std::string_view package, std::string_view step)> on_step = {};
  std::function<void(const datasets::PackageRecord&, bool was_there)> on_package = {};
};

// What an earlier harvest by the same recipe left, if it need not be made again.
std::optional<datasets::PackageRecord> harvestedBefore(const datasets::HarvestManifest& manifest,
                                                       const datasets::HarvestPackage& package,
                                                       const HarvestOptions& options);

// The records of the packages, in order; those of packages that were not reached are missing. With
// `manifest` for the archive and the sysroot. kNotFound with what to install if a tool is missing.
Result<std::vector<datasets::PackageRecord>> harvest(const datasets::HarvestManifest& manifest,
                                                     const std::vector<datasets::HarvestPackage>& packages,
                                                     const HarvestOptions& options);

}  // namespace ordo::harvest
