// What the image of a machine weighs: the program of a microcontroller with all that it is linked with, as it
// lies in flash memory and in RAM.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/input.h"
#include "support/elf.h"
#include "support/error.h"

namespace ordo::engine {

struct Image {
  std::vector<ElfSection> sections;  // those that are loaded, in their order
  std::vector<ElfSymbol> symbols;

  // What is stored: code, constants, and what variables begin with. In bytes, without what lies between
  // sections for their alignment.
  std::uint64_t flash() const;
  // What is executed.
  std::uint64_t code() const;
  // Variables. Stack and heap are the linker script's.
  std::uint64_t ram() const;
};

// What a byte of RAM costs in bytes of flash where nobody says another price: a microcontroller has four to
// sixteen times as much flash.
inline constexpr double kRamPrice = 16;

// Whether `image` may take the place of `baseline`: it takes no more flash, and where it takes more RAM, each
// byte of that saves at least `ram_price` bytes of flash.
bool mayReplace(const Image& image, const Image& baseline, double ram_price);

// Of a linked file; kUnsupported as of elfSections().
Result<Image> readImage(std::string_view file);

// Links `object` as the program says and reads what comes of it.
Result<Image> imageOf(const Input& input, std::string_view object);

}  // namespace ordo::engine
