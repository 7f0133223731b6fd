#include "builds/object.h"

#include <elf.h>

#include <cstring>

namespace ordo::builds {
namespace {

template <class Header, class Section>
Result<std::uint64_t> textOf(std::string_view object) {
  Header header;
  if (object.size() < sizeof header) return fail(ErrorCode::kUnsupported, "an ELF object that breaks off");
  std::memcpy(&header, object.data(), sizeof header);
  // A file with so many sections that their number does not fit keeps it in the first.
  std::uint64_t sections = header.e_shnum;
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i == 0 || i < sections; ++i) {
    Section section;
    const std::uint64_t at = header.e_shoff + i * sizeof section;
    if (header.e_shoff > object.size() || at > object.size() || object.size() - at < sizeof section)
      return fail(ErrorCode::kUnsupported, "an ELF object that breaks off");
    std::memcpy(&section, object.data() + at, sizeof section);
    if (i == 0 && sections == 0) sections = section.sh_size;
    const bool read_only = (section.sh_flags & SHF_ALLOC) != 0 && (section.sh_flags & SHF_WRITE) == 0;
    if (read_only && section.sh_type != SHT_NOBITS) bytes += section.sh_size;
  }
  return bytes;
}

}  // namespace

Result<std::uint64_t> textBytes(std::string_view object) {
  if (object.size() > EI_DATA && object.starts_with(std::string_view(ELFMAG, SELFMAG)) &&
      object[EI_DATA] == ELFDATA2LSB) {
    if (object[EI_CLASS] == ELFCLASS64) return textOf<Elf64_Ehdr, Elf64_Shdr>(object);
    if (object[EI_CLASS] == ELFCLASS32) return textOf<Elf32_Ehdr, Elf32_Shdr>(object);
  }
  return fail(ErrorCode::kUnsupported, "not an ELF object for a little-endian machine");
}

}  // namespace ordo::builds
