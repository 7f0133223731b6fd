// Sources as compilers' commands name them.
#pragma once

#include <string>
#include <string_view>

#include "frontend/options.h"

namespace ordo::frontend {

// The language that clang takes a file's suffix for, as its -x spells it: "c", "c++", or "" for any other.
std::string languageOf(std::string_view path);

// Whether it is what a configure script or CMake tries out, and nobody's program. The parts of a unity build,
// which CMake keeps in the folder of their target, are.
bool isProbe(std::string_view path);

// Whether there is no object with this one, whatever else is said: -E, -S, --version.
bool makesNoObject(const Argument& argument);

}  // namespace ordo::frontend
