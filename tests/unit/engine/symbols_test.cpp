#include "engine/symbols.h"

#include <gtest/gtest.h>

namespace ordo::engine {
namespace {

std::string said(const std::vector<SymbolChange>& changes) {
  std::string text;
  for (const SymbolChange& change : changes)
    text += change.name + " " + std::to_string(change.before) + " " + std::to_string(change.after) + "\n";
  return text;
}

Image image(std::uint64_t bytes, std::vector<ElfSymbol> symbols) {
  Image image;
  image.sections = {{.name = ".text", .bytes = bytes, .loaded = true, .executable = true}};
  image.symbols = std::move(symbols);
  return image;
}

TEST(SymbolsTest, TheLargestChangeIsFirstAndWhatIsTheSameIsNotThere) {
  const Image before = image(100, {{"same", 10}, {"shrinks", 30}, {"grows", 20}, {"gone", 40}});
  const Image after = image(85, {{"same", 10}, {"shrinks", 20}, {"grows", 35}, {"new", 15}});
  EXPECT_EQ(said(changedSymbols(before, after)), "gone 40 0\ngrows 20 35\nnew 0 15\nshrinks 30 20\n 0 5\n");
  EXPECT_EQ(said(changedSymbols(before, before)), "");
}

TEST(SymbolsTest, ThoseOfOneNameAreOne) {
  EXPECT_EQ(said(changedSymbols(image(30, {{"f", 10}, {"f", 20}}), image(25, {{"f", 5}, {"f", 20}}))),
            "f 30 25\n");
}

// A file comes from outside.
TEST(SymbolsTest, WhatIsLongerThanAllSectionsIsCutOff) {
  EXPECT_EQ(said(changedSymbols(image(10, {{"f", ~std::uint64_t{0}}, {"g", 3}}), image(10, {}))),
            " 0 10\nf 10 0\n");
}

}  // namespace
}  // namespace ordo::engine
