#include "builds/variables.h"

#include <fmt/format.h>

#include "support/files.h"

namespace ordo::builds {

Variables compilerVariables(std::string_view path) {
  const std::filesystem::path bin = installPrefix() / "bin";
  return {{"PATH", fmt::format("{}{}{}", bin.string(), path.empty() ? "" : ":", path)},
          {"CC", bin / "ordo-cc"},
          {"CXX", bin / "ordo-c++"}};
}

Variables linkedVariables() {
  return {{"ORDO_LINKED", "1"}, {"AR", "llvm-ar-22"}, {"RANLIB", "llvm-ranlib-22"}, {"NM", "llvm-nm-22"}};
}

}  // namespace ordo::builds
