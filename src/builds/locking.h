// From builds to ordo.lock.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "builds/cache.h"
#include "builds/log.h"
#include "recipe/lock.h"
#include "support/error.h"

namespace ordo::builds {

// The name of `source` (absolute, or from the current directory) in that lock file: relative to its folder.
std::string lockedName(const std::filesystem::path& lock, const std::filesystem::path& source);

// The recipes that the latest compilation of each object used, as far as the source lies in the folder of
// `lock`. kNotFound if there is none, kUnavailable if the cache has lost one: build again, and lock then.
Result<recipe::Lock> lockFrom(const std::vector<LogLine>& lines, Cache& cache,
                              const std::filesystem::path& lock);

}  // namespace ordo::builds
