#include "support/elf.h"

#include <elf.h>

#include <cstring>
#include <set>
#include <utility>

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

template <class Class>
struct Raw {
  std::vector<typename Class::Section> sections;
  std::uint64_t of_names = 0;  // the section that has their names
};

struct Class32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
};

struct Class64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
};

template <class Class>
Result<Raw<Class>> rawOf(std::string_view file) {
  typename Class::Header header;
  if (file.size() < sizeof header) return brokenOff();
  std::memcpy(&header, file.data(), sizeof header);
  // A file with so many sections that their number does not fit keeps it in the first, and beside it which of
  // them has the names.
  std::uint64_t count = header.e_shnum;
  Raw<Class> raw;
  raw.of_names = header.e_shstrndx;
  for (std::uint64_t i = 0; i == 0 || i < count; ++i) {
    typename Class::Section section;
    const std::uint64_t at = header.e_shoff + i * sizeof section;
    if (header.e_shoff > file.size() || at > file.size() || file.size() - at < sizeof section)
      return brokenOff();
    std::memcpy(&section, file.data() + at, sizeof section);
    if (i == 0 && count == 0) count = section.sh_size;
    if (i == 0 && raw.of_names == SHN_XINDEX) raw.of_names = section.sh_link;
    raw.sections.push_back(section);
  }
  return raw;
}

template <class Class>
Result<std::vector<ElfSection>> sectionsOf(std::string_view file) {
  ORDO_TRY_ASSIGN(const Raw<Class> raw, rawOf<Class>(file));
  const std::string_view names =
      raw.of_names < raw.sections.size() ? contentOf(file, raw.sections[raw.of_names]) : std::string_view();
  std::vector<ElfSection> result;
  for (const auto& section : raw.sections) {
    result.push_back({.name = nameAt(names, section.sh_name),
                      .bytes = section.sh_size,
                      .loaded = (section.sh_flags & SHF_ALLOC) != 0,
                      .executable = (section.sh_flags & SHF_EXECINSTR) != 0,
                      .written = (section.sh_flags & SHF_WRITE) != 0,
                      .in_file = section.sh_type != SHT_NOBITS});
  }
  return result;
}

template <class Class>
Result<std::vector<ElfSymbol>> symbolsOf(std::string_view file) {
  using Symbol = typename Class::Symbol;
  ORDO_TRY_ASSIGN(const Raw<Class> raw, rawOf<Class>(file));
  std::vector<ElfSymbol> result;
  std::set<std::pair<std::uint64_t, std::uint64_t>> places;
  for (const auto& table : raw.sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= raw.sections.size()) continue;
    const std::string_view names = contentOf(file, raw.sections[table.sh_link]);
    std::string_view rest = contentOf(file, table);
    for (Symbol symbol; rest.size() >= sizeof symbol; rest.remove_prefix(sizeof symbol)) {
      std::memcpy(&symbol, rest.data(), sizeof symbol);
      const auto type = ELF32_ST_TYPE(symbol.st_info);  // of 64 bits the same
      if ((type != STT_FUNC && type != STT_OBJECT) || symbol.st_size == 0) continue;
      if (symbol.st_shndx >= raw.sections.size() || symbol.st_shndx == SHN_UNDEF ||
          (raw.sections[symbol.st_shndx].sh_flags & SHF_ALLOC) == 0)
        continue;
      if (!places.emplace(symbol.st_shndx, symbol.st_value).second) continue;
      result.push_back({nameAt(names, symbol.st_name), symbol.st_size});
    }
  }
  return result;
}

// What `of32` or `of64` makes of the file.
template <class Reader>
auto byClass(std::string_view file, Reader of32, Reader of64) -> decltype(of32(file)) {
  if (file.size() > EI_DATA && file.starts_with(std::string_view(ELFMAG, SELFMAG)) &&
      file[EI_DATA] == ELFDATA2LSB) {
    if (file[EI_CLASS] == ELFCLASS64) return of64(file);
    if (file[EI_CLASS] == ELFCLASS32) return of32(file);
  }
  return fail(ErrorCode::kUnsupported, "not an ELF object for a little-endian machine");
}

}  // namespace

Result<std::vector<ElfSection>> elfSections(std::string_view file) {
  return byClass(file, sectionsOf<Class32>, sectionsOf<Class64>);
}

Result<std::vector<ElfSymbol>> elfSymbols(std::string_view file) {
  return byClass(file, symbolsOf<Class32>, symbolsOf<Class64>);
}

}  // namespace ordo
