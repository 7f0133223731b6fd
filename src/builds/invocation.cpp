#include "builds/invocation.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "support/process.h"

namespace ordo::builds {
namespace fs = std::filesystem;
namespace {

// The file behind a program's name, or "".
fs::path fileOf(const std::string& program) {
  const std::optional<std::string> found = findProgram({program});
  std::error_code error;
  const fs::path file = found ? fs::canonical(*found, error) : fs::path();
  return error ? fs::path() : file;
}

std::string identityOf(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {}", file.string(), status.st_size, status.st_mtim.tv_sec);
}

}  // namespace

Invocation parseInvocation(const std::vector<std::string>& words) {
  Invocation invocation;
  if (words.empty()) return invocation;
  const std::string name = fs::path(words[0]).filename().string();
  invocation.command.assign(words.begin() + 1, words.end());
  if (!name.ends_with("launch"))
    invocation.command.insert(invocation.command.begin(), name.ends_with("++") ? "clang++-22" : "clang-22");
  if (invocation.command.empty()) return invocation;
  const fs::path clang = fileOf("clang-22");
  invocation.ours = !clang.empty() && fileOf(invocation.command[0]) == clang;
  if (invocation.ours) invocation.compiler = identityOf(clang);
  return invocation;
}

}  // namespace ordo::builds
