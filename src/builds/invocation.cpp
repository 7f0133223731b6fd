#include "builds/invocation.h"

#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "support/process.h"

namespace ordo::builds {
namespace fs = std::filesystem;
namespace {

// Clang reads the configuration files that lie beside it, and with them the same flags mean something else.
std::string configurationBeside(const fs::path& clang) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(clang.parent_path(), error), end; !error && at != end; at.increment(error)) {
    struct stat status{};
    if (at->path().extension() != ".cfg" || ::stat(at->path().c_str(), &status) != 0) continue;
    files.push_back(fmt::format(" {} {} {}.{}", at->path().filename().string(), status.st_size,
                                status.st_mtim.tv_sec, status.st_mtim.tv_nsec));
  }
  std::ranges::sort(files);
  return fmt::format("{}", fmt::join(files, ""));
}

std::string identityOf(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {}", file.string(), status.st_size, status.st_mtim.tv_sec) +
         configurationBeside(file);
}

fs::path canonical(const std::string& file) {
  std::error_code error;
  const fs::path path = file.empty() ? fs::path() : fs::canonical(file, error);
  return error ? fs::path() : path;
}

}  // namespace

Invocation parseInvocation(const std::vector<std::string>& words) {
  Invocation invocation;
  if (words.empty()) return invocation;
  const std::string name = fs::path(words[0]).filename().string();
  invocation.command.assign(words.begin() + 1, words.end());
  if (!name.ends_with("launch")) {
    const bool cxx = name.find("++") != std::string::npos;
    invocation.command.insert(invocation.command.begin(), cxx ? "clang++-22" : "clang-22");
  }
  if (invocation.command.empty()) return invocation;
  invocation.program = findProgram({invocation.command[0]}).value_or("");
  // Where clang would look itself up by its name, it would find us.
  if (!name.starts_with("ordo-") && !invocation.program.empty()) invocation.command[0] = invocation.program;
  const fs::path clang = canonical(findProgram({"clang-22"}).value_or(""));
  invocation.ours = !clang.empty() && canonical(invocation.program) == clang;
  if (invocation.ours) invocation.compiler = identityOf(clang);
  return invocation;
}

}  // namespace ordo::builds
