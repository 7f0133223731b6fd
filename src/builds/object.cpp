#include "builds/object.h"

#include "support/elf.h"

namespace ordo::builds {

Result<std::uint64_t> textBytes(std::string_view object) {
  ORDO_TRY_ASSIGN(const std::vector<ElfSection> sections, elfSections(object));
  std::uint64_t bytes = 0;
  for (const ElfSection& section : sections) {
    if (section.loaded && !section.written && section.in_file) bytes += section.bytes;
  }
  return bytes;
}

}  // namespace ordo::builds
