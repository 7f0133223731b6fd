// What a build has linked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace ordo::projects {

// Executables and shared libraries in `folder` and below that were written since `since`, with their bytes of
// text as llvm-size counts them. Hidden folders and links are left out.
std::map<std::filesystem::path, std::uint64_t> linkedIn(const std::filesystem::path& folder,
                                                        std::filesystem::file_time_type since);

}  // namespace ordo::projects
