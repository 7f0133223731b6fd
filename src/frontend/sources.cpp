#include "frontend/sources.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace ordo::frontend {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 8> kCxx{".cc", ".cpp", ".cxx", ".C", ".CPP", ".c++", ".cp", ".CC"};

constexpr std::array<std::string_view, 13> kNoObject{
    "-E",           "-S",        "-M",    "-MM",       "-fsyntax-only", "-###",         "--version",
    "--precompile", "--analyze", "-help", "-emit-ast", "-extract-api",  "--help-hidden"};

// What CMake tries is in CMakeFiles/, but not in the folder of a target, where the parts of a unity build
// are.
bool isTriedByCMake(const fs::path& path) {
  for (auto part = path.begin(); part != path.end(); ++part) {
    const auto next = std::next(part);
    if (*part == "CMakeFiles" && next != path.end() && next->extension() != ".dir") return true;
  }
  return false;
}

}  // namespace

std::string languageOf(std::string_view path) {
  const std::string suffix = fs::path(path).extension().string();
  if (suffix == ".c") return "c";
  return std::ranges::find(kCxx, suffix) != kCxx.end() ? "c++" : "";
}

bool isProbe(std::string_view path) {
  const std::string name = fs::path(path).filename().string();
  // mktemp's tmp.XXXXXXXXXX: a source that is gone and has another name in each build.
  const bool temporary = name.starts_with("tmp.") && name.find('.', 4) == 14;
  return temporary || name.starts_with("conftest") || name.starts_with("_conftest") || isTriedByCMake(path);
}

bool makesNoObject(const Argument& argument) {
  return argument.option != nullptr &&
         std::ranges::find(kNoObject, argument.option->canonical) != kNoObject.end();
}

}  // namespace ordo::frontend
