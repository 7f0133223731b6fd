#include "timing/image.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "support/files.h"

namespace ordo::timing {
namespace {

// A file with one loaded section, one note and one that is not loaded.
std::string smallElf(std::string_view code, std::string_view note, std::string_view debug) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shoff = sizeof header;
  std::string file(reinterpret_cast<const char*>(&header), sizeof header);
  std::uint64_t offset = sizeof header + 3 * sizeof(Elf64_Shdr);
  const auto add = [&](std::uint32_t type, std::uint64_t flags, std::string_view content) {
    Elf64_Shdr section{};
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_offset = offset;
    section.sh_size = content.size();
    offset += content.size();
    file.append(reinterpret_cast<const char*>(&section), sizeof section);
  };
  add(SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code);
  add(SHT_NOTE, SHF_ALLOC, note);
  add(SHT_PROGBITS, 0, debug);
  return file.append(code).append(note).append(debug);
}

TEST(ImageTest, OnlyWhatIsLoadedCounts) {
  const Hash128 hash = loadedHash(smallElf("code", "build-id 1", "lines"));
  EXPECT_EQ(loadedHash(smallElf("code", "build-id 2", "other lines")), hash);
  EXPECT_NE(loadedHash(smallElf("cody", "build-id 1", "lines")), hash);
  EXPECT_NE(loadedHash(smallElf("codes", "build-id 1", "lines")), hash);
}

TEST(ImageTest, WhatIsNoElfFileIsItsBytes) {
  EXPECT_EQ(loadedHash("#!/bin/sh\n"), hashBytes("#!/bin/sh\n"));
  EXPECT_EQ(loadedHash(""), hashBytes(""));
  // Cut anywhere, it is read without going past its end; then its bytes count.
  const std::string file = smallElf("code", "note", "debug");
  for (std::size_t size = 0; size < file.size() - 9; ++size)
    EXPECT_EQ(loadedHash(file.substr(0, size)), hashBytes(file.substr(0, size))) << size;
}

TEST(ImageTest, ThisProgramIsOne) {
  const std::string file = readFile("/proc/self/exe").value();
  EXPECT_NE(loadedHash(file), hashBytes(file));
  EXPECT_EQ(loadedHash(file + "what a strip would remove"), loadedHash(file));
}

}  // namespace
}  // namespace ordo::timing
