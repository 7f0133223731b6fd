#include "support/regular_file.h"

#include <sys/stat.h>

#include "support/files.h"

namespace ordo {

// What it is may change between the look and the reading, but only by whoever could write it as well.
Result<std::string> readRegularFile(const std::filesystem::path& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
    return fail(ErrorCode::kUnavailable, "cannot read {}: it is not a regular file", path.string());
  return readFile(path);
}

}  // namespace ordo
