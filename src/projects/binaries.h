// What a build has linked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace ordo::projects {

// Executables and shared libraries in `folder` and below that were written since `since`, with their bytes of
// text as llvm-size counts them. Hidden folders and links are left out.
std::map<std::filesystem::path, std::uint64_t> linkedIn(const std::filesystem::path& folder,
                                                        std::filesystem::file_time_type since);

// Why `path` has more bytes of text than before, where nothing that it is made of was allowed to grow; "" if
// it has not.
std::string whyLarger(const std::filesystem::path& path, std::uint64_t before, std::uint64_t after,
                      bool linked);

}  // namespace ordo::projects
