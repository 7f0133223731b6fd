// Whose objects a build may use: a cache's folder holds code that becomes part of programs.
#pragma once

#include <cstdint>
#include <filesystem>

#include "support/error.h"

namespace ordo::builds {

enum class Sharing : std::uint8_t {
  kNobody,  // only this user and root may have written what is read
  kGroup,   // so may everybody in the folder's group
};

// Makes sure that `folder` is one that nobody else can write to; if there is none, makes one for this user
// alone, or fails for a group, which somebody has to name. kUnavailable says what is wrong and what to do.
// The folders above it are whoever's who chose it.
Status checkFolder(const std::filesystem::path& folder, Sharing sharing);

// The same for a file in such a folder: makes it, empty, for this user or for the group whatever the umask
// is.
Status checkFile(const std::filesystem::path& file, Sharing sharing);

}  // namespace ordo::builds
