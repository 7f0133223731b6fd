#include "builds/invocation.h"

#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "support/process.h"

namespace ordo::builds {
namespace fs = std::filesystem;
using Words = std::vector<std::string>;
namespace {

std::string dateOf(const fs::path& file) {
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {}.{}", file.string(), status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

// Clang reads configuration files, and with them the same flags mean something else. They lie beside it, or
// where distributions have it look.
std::string configurationIn(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".cfg") files.push_back("\n" + dateOf(at->path()));
  }
  std::ranges::sort(files);
  return fmt::format("{}", fmt::join(files, ""));
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
  if (invocation.ours) invocation.compiler = identityOf({clang.string()});
  return invocation;
}

std::string identityOf(const Words& files) {
  std::string identity;
  for (const std::string& file : files) identity += (identity.empty() ? "" : "\n") + dateOf(file);
  if (files.empty()) return identity;
  const char* const home = std::getenv("HOME");
  for (const fs::path& folder : {fs::path(files[0]).parent_path(), fs::path("/etc/clang"),
                                 fs::path(home == nullptr ? "" : home) / ".config" / "clang"})
    identity += configurationIn(folder);
  return identity;
}

Result<Words> argumentsTold(const Words& command, std::string_view ours) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"clang", "clang++", "clang-22", "clang++-22", "cc", "c++", "gcc", "g++"});
  const std::string name = command.empty() ? "" : fs::path(command[0]).filename().string();
  if (std::ranges::find(kNames, name) == kNames.end())
    return fail(ErrorCode::kUnsupported, "clang was called '{}', which may say more than its options", name);
  Words arguments(command.begin() + 1, command.end());
  std::erase(arguments, ours);
  return arguments;
}

}  // namespace ordo::builds
