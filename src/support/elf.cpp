#include "support/elf.h"

#include <elf.h>

#include <cstring>

namespace ordo {
namespace {

tl::unexpected<Error> brokenOff() { return fail(ErrorCode::kUnsupported, "an ELF object that breaks off"); }

// The text of `names` from `at` on, up to its zero; "" if it is not there.
std::string nameAt(std::string_view names, std::uint64_t at) {
  if (at >= names.size()) return "";
  return std::string(names.substr(at, names.find('\0', at) - at));
}

template <class Section>
std::string_view contentOf(std::string_view file, const Section& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > file.size()) return {};
  return file.substr(section.sh_offset, section.sh_size);
}

template <class Header, class Section>
Result<std::vector<ElfSection>> sectionsOf(std::string_view file) {
  Header header;
  if (file.size() < sizeof header) return brokenOff();
  std::memcpy(&header, file.data(), sizeof header);
  // A file with so many sections that their number does not fit keeps it in the first, and beside it which of
  // them has the names.
  std::uint64_t count = header.e_shnum, of_names = header.e_shstrndx;
  std::vector<Section> sections;
  for (std::uint64_t i = 0; i == 0 || i < count; ++i) {
    Section section;
    const std::uint64_t at = header.e_shoff + i * sizeof section;
    if (header.e_shoff > file.size() || at > file.size() || file.size() - at < sizeof section)
      return brokenOff();
    std::memcpy(&section, file.data() + at, sizeof section);
    if (i == 0 && count == 0) count = section.sh_size;
    if (i == 0 && of_names == SHN_XINDEX) of_names = section.sh_link;
    sections.push_back(section);
  }
  const std::string_view names =
      of_names < sections.size() ? contentOf(file, sections[of_names]) : std::string_view();
  std::vector<ElfSection> result;
  for (const Section& section : sections) {
    result.push_back({.name = nameAt(names, section.sh_name),
                      .bytes = section.sh_size,
                      .loaded = (section.sh_flags & SHF_ALLOC) != 0,
                      .executable = (section.sh_flags & SHF_EXECINSTR) != 0,
                      .written = (section.sh_flags & SHF_WRITE) != 0,
                      .in_file = section.sh_type != SHT_NOBITS});
  }
  return result;
}

}  // namespace

Result<std::vector<ElfSection>> elfSections(std::string_view file) {
  if (file.size() > EI_DATA && file.starts_with(std::string_view(ELFMAG, SELFMAG)) &&
      file[EI_DATA] == ELFDATA2LSB) {
    if (file[EI_CLASS] == ELFCLASS64) return sectionsOf<Elf64_Ehdr, Elf64_Shdr>(file);
    if (file[EI_CLASS] == ELFCLASS32) return sectionsOf<Elf32_Ehdr, Elf32_Shdr>(file);
  }
  return fail(ErrorCode::kUnsupported, "not an ELF object for a little-endian machine");
}

}  // namespace ordo
