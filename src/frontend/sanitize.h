// Executables that watch themselves, built with clang's sanitizers.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/clang.h"

namespace ordo::frontend {

// The source itself with the address and undefined-behaviour sanitizers, at -O1, stopping at the first
// report. Undefined behaviour is put in by the front end's checks, so this says something about the
// program, and nothing about what was done to it later. kUnsupported for IR, which has no front end.
Status linkSanitizedSource(const Source& source, const std::vector<std::string>& ldflags,
                           const std::filesystem::path& out);

// Optimised bitcode with the address sanitizer put in after all passes: reads and writes outside of
// objects that the optimised program makes. Every function is watched, whatever its attributes.
Status linkAddressSanitized(std::string_view bitcode, Level level, const Source& source,
                            const std::vector<std::string>& ldflags, const std::filesystem::path& out);

}  // namespace ordo::frontend
