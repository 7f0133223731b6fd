// Which files a compilation reads.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "frontend/clang.h"
#include "support/error.h"

namespace ordo::frontend {

// The files that the front end reads of `source`, itself, headers and what #embed names included, as clang
// spells them: relative to its folder, or absolute. Nothing is compiled. kInvalidArgument if there is a file
// that clang does not find, or that is not text that it can preprocess: without what is in it, so that the
// message gives away nothing of files that nobody may see.
Result<std::vector<std::filesystem::path>> dependencies(const Source& source);

// The files of a rule in the syntax of make, as compilers write it: behind the colon, with lines joined.
std::vector<std::filesystem::path> parseRule(std::string_view rule);

}  // namespace ordo::frontend
