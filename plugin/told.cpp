// Linux keeps the words that a program was started with, so what a wrapper has made of them is there to read.
// The driver compiles in its own process unless it was built or told otherwise; then it is the one above.
#include "plugin/told.h"

#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "support/files.h"

namespace ordo::plugin {
namespace {

std::vector<std::string> wordsOf(std::string_view process) {
  const Result<std::string> text = readFile(fmt::format("/proc/{}/cmdline", process));
  std::vector<std::string> words;
  for (std::string_view rest = text ? std::string_view(*text) : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

int addFile(dl_phdr_info* object, std::size_t, void* files) {
  const std::string_view path = object->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("libLLVM") || name.starts_with("libclang"))
    static_cast<std::vector<std::string>*>(files)->emplace_back(path);
  return 0;
}

}  // namespace

std::vector<std::string> toldWords() {
  std::vector<std::string> words = wordsOf("self");
  if (words.size() > 1 && words[1] == "-cc1") words = wordsOf(fmt::format("{}", ::getppid()));
  return words;
}

std::vector<std::string> compilerFiles() {
  std::vector<std::string> files{executablePath().string()};
  ::dl_iterate_phdr(addFile, &files);
  return files;
}

std::string variableBetween() {
  for (const char* name : {"CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_PATH", "CLANG_NO_DEFAULT_CONFIG"})
    if (std::getenv(name) != nullptr) return name;
  return "";
}

}  // namespace ordo::plugin
