#include "support/elf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/process.h"
#include "support/rng.h"

namespace ordo {
namespace {

std::string compiled(const std::string& target) {
  ProcessOptions options;
  options.input =
      "int data = 3; char zeros[99]; const int table[] = {1, 2, 3};\n"
      "int f(int x) { zeros[x] = 1; return table[x] + data; }\n"
      "static int g(void) { return data; } int h(void) __attribute__((alias(\"f\")));\n"
      "int (*const get)(void) = g;\n";
  const auto run =
      runProcess({"clang-22", "-Oz", "-fno-common", target, "-x", "c", "-c", "-", "-o", "-"}, options);
  EXPECT_TRUE(run && run->ok()) << run->err;
  return run->out;
}

ElfSection named(const std::vector<ElfSection>& sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &ElfSection::name);
  EXPECT_NE(found, sections.end()) << name;
  return found == sections.end() ? ElfSection{} : *found;
}

TEST(ElfTest, SectionsAreWhatTheyAreFor) {
  for (const char* target : {"--target=x86_64-linux-gnu", "--target=thumbv7em-none-eabi"}) {
    const Result<std::vector<ElfSection>> sections = elfSections(compiled(target));
    ASSERT_TRUE(sections) << sections.error().message;
    EXPECT_EQ(sections->front().name, "");
    const ElfSection text = named(*sections, ".text"), data = named(*sections, ".data");
    EXPECT_TRUE(text.loaded && text.executable && !text.written && text.in_file && text.bytes > 0);
    EXPECT_TRUE(data.loaded && !data.executable && data.written && data.in_file);
    EXPECT_EQ(data.bytes, 4U);
    const ElfSection zeros = named(*sections, ".bss");
    EXPECT_TRUE(zeros.loaded && zeros.written && !zeros.in_file);
    EXPECT_EQ(zeros.bytes, 99U);
    EXPECT_FALSE(named(*sections, ".symtab").loaded);
  }
}

TEST(ElfTest, SymbolsHaveTheirSizes) {
  for (const char* target : {"--target=x86_64-linux-gnu", "--target=thumbv7em-none-eabi"}) {
    const Result<std::vector<ElfSymbol>> symbols = elfSymbols(compiled(target));
    ASSERT_TRUE(symbols) << symbols.error().message;
    std::map<std::string, std::uint64_t> bytes;
    for (const ElfSymbol& symbol : *symbols) bytes[symbol.name] = symbol.bytes;
    EXPECT_EQ(bytes.size(), 6U) << "an alias is the same place";
    EXPECT_GT(bytes["f"], 0U);
    EXPECT_EQ(bytes["data"], 4U);
    EXPECT_EQ(bytes["zeros"], 99U);
    EXPECT_EQ(bytes["table"], 12U);
  }
}

TEST(ElfTest, WhatIsNoneIsRefused) {
  EXPECT_EQ(elfSections("").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(elfSymbols("#!/bin/sh\n").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(elfSections("#!/bin/sh\n").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(elfSections(compiled("--target=powerpc-linux-gnu")).error().code, ErrorCode::kUnsupported);
}

// A file comes from outside: any damage is an error or other sections, and no more.
TEST(ElfTest, DamageDoesNoHarm) {
  const std::string object = compiled("--target=thumbv7em-none-eabi");
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = object.substr(0, i % 2 == 0 ? object.size() : rng.below(object.size()));
    for (std::uint64_t changes = rng.below(8); changes > 0 && !damaged.empty(); --changes) {
      // The header decides about all else.
      const std::uint64_t within =
          rng.below(2) == 0 ? std::min<std::size_t>(52, damaged.size()) : damaged.size();
      damaged[rng.below(within)] = static_cast<char>(rng.below(256));
    }
    const Result<std::vector<ElfSection>> sections = elfSections(damaged);
    if (sections) EXPECT_LE(sections->size() * 40, damaged.size());
    const Result<std::vector<ElfSymbol>> symbols = elfSymbols(damaged);
    if (symbols) EXPECT_LE(symbols->size() * 16, damaged.size());
  }
}

}  // namespace
}  // namespace ordo
