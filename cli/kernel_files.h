// What is written of a scheduled kernel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::cli {

// NAME.schedule.mlir, NAME.o and NAME.h in `folder` ("": here), which is made if it is missing: what the
// session says of its state; NAME.so, too, if `emit` is so. Their paths. Errors: those of files and of
// clang-22.
Result<std::vector<std::string>> writeKernel(env::Session& session, const std::filesystem::path& folder,
                                             const std::string& name, std::string_view emit = "obj");

}  // namespace ordo::cli
