// Files whose name comes from outside, where a pipe would be waited for.
#pragma once

#include <filesystem>
#include <string>

#include "support/error.h"

namespace ordo {

// As readFile(), of a file that is none but a file: kUnavailable for a pipe, to which nobody may ever write,
// and for a device.
Result<std::string> readRegularFile(const std::filesystem::path& path);

}  // namespace ordo
