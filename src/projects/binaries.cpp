#include "projects/binaries.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "support/files.h"

namespace ordo::projects {
namespace fs = std::filesystem;
namespace {

bool isLinked(const fs::path& file) {
  Elf64_Ehdr header{};
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

}  // namespace

Stamps stampsIn(const fs::path& folder) {
  Stamps stamps;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (entry->is_symlink(gone)) continue;
    if (entry->is_directory(gone) && entry->path().filename().string().starts_with('.'))
      entry.disable_recursion_pending();
    struct stat status{};
    if (!entry->is_regular_file(gone) || !isLinked(entry->path()) ||
        ::stat(entry->path().c_str(), &status) != 0)
      continue;
    stamps[entry->path()] = {status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec, status.st_ino,
                             static_cast<std::uint64_t>(status.st_size)};
  }
  return stamps;
}

Binaries linkedIn(const fs::path& folder, const Stamps& before) {
  Binaries linked;
  for (const auto& [path, stamp] : stampsIn(folder)) {
    if (const auto old = before.find(path); old != before.end() && old->second == stamp) continue;
    const Result<std::string> bytes = readFile(path);
    if (!bytes) continue;
    if (const Result<builds::ObjectBytes> object = builds::bytesOf(*bytes)) linked[path] = *object;
  }
  return linked;
}

std::string whyLarger(const std::filesystem::path& path, std::uint64_t before, std::uint64_t after,
                      bool linked) {
  if (after <= before) return "";
  const std::string grown =
      fmt::format("{} has {} bytes of text more than before", path.string(), after - before);
  if (linked)
    return grown +
           ": as one module it is compared with what -flto alone makes of it, and that is larger than what "
           "was linked "
           "file by file, because functions of other files are inlined, too; without --linked it does not "
           "grow";
  return grown +
         " although no object has: how objects are padded, merged and what is left out of them is the "
         "linker's";
}

}  // namespace ordo::projects
