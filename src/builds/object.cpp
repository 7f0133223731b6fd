#include "builds/object.h"

#include "support/elf.h"

namespace ordo::builds {

Result<ObjectBytes> bytesOf(std::string_view object) {
  ORDO_TRY_ASSIGN(const std::vector<ElfSection> sections, elfSections(object));
  ObjectBytes bytes;
  for (const ElfSection& section : sections) {
    if (!section.loaded) continue;
    if (section.written) (section.in_file ? bytes.data : bytes.bss) += section.bytes;
    if (section.written || !section.in_file) continue;
    bytes.text += section.bytes;
    if (section.executable) bytes.code += section.bytes;
  }
  return bytes;
}

}  // namespace ordo::builds
