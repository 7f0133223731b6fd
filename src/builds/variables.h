// What a build's environment has to say for it to use Ordo's compilers.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ordo::builds {

using Variables = std::map<std::string, std::string>;

// CC, CXX, and `path` with their folder in front, for builds that name them.
Variables compilerVariables(std::string_view path);

// What makes ordo-cc, and archivers that a makefile leaves to us, work with modules in place of objects.
Variables linkedVariables();

}  // namespace ordo::builds
