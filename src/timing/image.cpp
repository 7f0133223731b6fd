#include "timing/image.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string>

namespace ordo::timing {
namespace {

// The T at `offset`, if the file is long enough.
template <typename T>
std::optional<T> at(std::string_view file, std::uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

// What identifies the loaded sections; "" if they cannot be read.
std::string loadedSections(std::string_view file) {
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr)) {
    return "";
  }
  std::string loaded;
  const auto add = [&](auto value) { loaded.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return "";
    if ((section->sh_flags & SHF_ALLOC) == 0 || section->sh_type == SHT_NOTE) continue;
    add(section->sh_addr);
    add(section->sh_flags);
    add(section->sh_size);
    add(section->sh_type);
    if (section->sh_type == SHT_NOBITS) continue;
    if (section->sh_offset > file.size() || file.size() - section->sh_offset < section->sh_size) return "";
    loaded += file.substr(section->sh_offset, section->sh_size);
  }
  if (!loaded.empty()) add(header->e_entry);
  return loaded;
}

}  // namespace

Hash128 loadedHash(std::string_view file) {
  const std::string loaded = loadedSections(file);
  return hashBytes(loaded.empty() ? file : std::string_view(loaded));
}

}  // namespace ordo::timing
