#include "engine/image.h"

#include "support/files.h"

namespace ordo::engine {

std::uint64_t Image::flash() const {
  std::uint64_t bytes = 0;
  for (const ElfSection& section : sections) bytes += section.in_file ? section.bytes : 0;
  return bytes;
}

std::uint64_t Image::code() const {
  std::uint64_t bytes = 0;
  for (const ElfSection& section : sections) bytes += section.executable ? section.bytes : 0;
  return bytes;
}

std::uint64_t Image::ram() const {
  std::uint64_t bytes = 0;
  for (const ElfSection& section : sections) bytes += section.written ? section.bytes : 0;
  return bytes;
}

bool mayReplace(const Image& image, const Image& baseline, double ram_price) {
  if (image.flash() > baseline.flash()) return false;
  if (image.ram() <= baseline.ram()) return true;
  return static_cast<double>(baseline.flash() - image.flash()) >=
         ram_price * static_cast<double>(image.ram() - baseline.ram());
}

Result<Image> readImage(std::string_view file) {
  ORDO_TRY_ASSIGN(std::vector<ElfSection> sections, elfSections(file));
  std::erase_if(sections, [](const ElfSection& section) { return !section.loaded || section.bytes == 0; });
  ORDO_TRY_ASSIGN(std::vector<ElfSymbol> symbols, elfSymbols(file));
  return Image{std::move(sections), std::move(symbols)};
}

Result<Image> imageOf(const Input& input, std::string_view object) {
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path linked = dir.path() / "image";
  ORDO_TRY(input.toolchain->link(input, object, linked));
  ORDO_TRY_ASSIGN(const std::string file, readFile(linked));
  return readImage(file);
}

}  // namespace ordo::engine
