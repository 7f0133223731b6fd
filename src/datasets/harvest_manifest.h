// The manifest of harvested packages: data/datasets/debian.toml (docs/formats/harvest-manifest.md).
// What it says decides what `ordo dataset harvest` makes, bit for bit, and which split a module is in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::datasets {

struct HarvestPackage {
  std::string name;     // of the Debian source package
  std::string version;  // exact; "" takes what the archive has
  std::string kind;     // compression, crypto, ...
  std::string language = "c";
  // Fixed by package, never by module: files of one package are too much alike. kAll: in no part.
  Split split = Split::kAll;
  std::string reserved;  // why it is never trained on; "" for others
  // Beginnings of the names of modules that come from another package, which may be in another part: these
  // are in no part.
  std::vector<std::string> copies;

  // The part that a module is in, by its name in the package.
  Split splitOf(std::string_view module) const;

  // How it is built, where the generic builders need help.
  std::string dir;                     // the folder to build in, relative to the sources
  std::string build;                   // configure, cmake, meson, make, script; "" looks
  std::string prepare;                 // shell, before anything else
  std::string script;                  // shell, instead of a configure step
  std::vector<std::string> configure;  // more arguments for configure or cmake
  std::vector<std::string> make;       // more arguments for make or ninja: targets, variables
  std::vector<std::string> needs;      // Debian packages with headers and libraries, "name=version"
  bool serial = false;                 // its makefiles do not stand make -j
};

struct HarvestManifest {
  std::string mirror;                // of the Debian archive
  std::string suite;                 // bookworm
  std::vector<std::string> sysroot;  // Debian packages everything is built against, "name=version"
  std::vector<HarvestPackage> packages;

  const HarvestPackage* find(std::string_view name) const;

  // Of everything here that decides what is built from the sources of `package`.
  Hash128 recipe(const HarvestPackage& package) const;
};

// kCorrupt with file:line:column and the key, kUnsupported for a newer format. `path` is for messages.
Result<HarvestManifest> parseHarvestManifest(std::string_view text, const std::filesystem::path& path);

// <data>/datasets/debian.toml
Result<HarvestManifest> loadHarvestManifest(const std::filesystem::path& data);

}  // namespace ordo::datasets
