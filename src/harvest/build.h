// How a source tree is built without knowing it: which build system it has, and the shell commands that
// configure and make it. Debian's own rules are not used: they optimise, strip, test and document.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/harvest_manifest.h"
#include "support/error.h"

namespace ordo::harvest {

// Shell text, each run with `sh -e` in `dir`; "" is nothing to do.
struct BuildPlan {
  std::string builder;  // configure, cmake, meson, make, script
  std::filesystem::path dir;
  std::string configure;
  std::string make;
};

// Looks at the sources in `root` (after the package's `prepare`). `jobs` is for make -j.
// kUnsupported if there is no build system that Ordo knows.
Result<BuildPlan> planBuild(const datasets::HarvestPackage& package, const std::filesystem::path& root,
                            const std::filesystem::path& sysroot, unsigned jobs);

// The whole environment of a build, so that it does not depend on that of the caller. `tools` holds
// the compilers' names; capturing is on if `out` is not empty.
std::vector<std::string> buildEnvironment(const std::filesystem::path& root,
                                          const std::filesystem::path& sysroot,
                                          const std::filesystem::path& tools,
                                          const std::filesystem::path& out);

// Fills `tools` with links to `wrapper` under every name that compilers have, and with small programs
// that answer the same on every machine: uname, hostname, date, whoami, makeinfo.
Status writeTools(const std::filesystem::path& tools, const std::filesystem::path& wrapper);

// Gives every file one time, lest make runs autoconf because of the order a patch touched files in.
Status levelTimes(const std::filesystem::path& root);

}  // namespace ordo::harvest
