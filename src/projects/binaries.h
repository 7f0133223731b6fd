// What a build has linked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "builds/object.h"

namespace ordo::projects {

// What tells a file from the one that lay there before.
struct Stamp {
  std::int64_t written_ns = 0;
  std::uint64_t inode = 0, bytes = 0;
  bool operator==(const Stamp&) const = default;
};
using Stamps = std::map<std::filesystem::path, Stamp>;

// The executables and shared libraries in `folder` and below. Hidden folders and links are left out.
Stamps stampsIn(const std::filesystem::path& folder);

using Binaries = std::map<std::filesystem::path, builds::ObjectBytes>;

// Those of them that are not as they were `before`: what was linked since, and nothing that another build
// left there.
Binaries linkedIn(const std::filesystem::path& folder, const Stamps& before);

// Why `path` has more bytes of text than before, where nothing that it is made of was allowed to grow; "" if
// it has not.
std::string whyLarger(const std::filesystem::path& path, std::uint64_t before, std::uint64_t after,
                      bool linked);

}  // namespace ordo::projects
