#include "support/symbol.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace ordo {
namespace {

TEST(SymbolTest, LettersOfAnyLanguageStandAsTheyAre) {
  EXPECT_EQ(shownSymbol("größe"), "größe");
  EXPECT_EQ(shownSymbol("日本 🙂"), "日本 🙂");
  EXPECT_EQ(shownSymbol("it's <b>\"q\""), "it's <b>\"q\"");
}

TEST(SymbolTest, WhatIsNoTextIsEscapedAndDifferentNamesStayDifferent) {
  EXPECT_EQ(shownSymbol("\xff\xfe"), "\\FF\\FE");
  EXPECT_EQ(shownSymbol("new\nline"), "new\\0Aline");
  EXPECT_EQ(shownSymbol("back\\slash"), "back\\5Cslash");
  EXPECT_EQ(shownSymbol("cut \xe6\x97"), "cut \\E6\\97") << "the beginning of a character";
  EXPECT_EQ(shownSymbol("\xc0\xaf \xed\xa0\x80"), "\\C0\\AF \\ED\\A0\\80")
      << "longer than need be; half of one";
  std::set<std::string> shown;
  for (const char* bytes : {"\xff", "\\FF", "\\5CFF", "\\", "\\\\", "\n", "\\0A"})
    EXPECT_TRUE(shown.insert(shownSymbol(bytes)).second) << bytes;
}

TEST(SymbolTest, NamesAreReadFromTextualIr) {
  EXPECT_EQ(symbolOfIr("main(ptr %0)"), "main");
  EXPECT_EQ(symbolOfIr("0(i32 %x)"), "0");
  EXPECT_EQ(symbolOfIr("\"gr\\C3\\B6\\C3\\9Fe\"(i32 %0)"), "größe");
  EXPECT_EQ(symbolOfIr("\"\\22quote\\22\"()"), "\"quote\"");
  EXPECT_EQ(symbolOfIr("\"back\\\\slash\"()"), "back\\5Cslash");
  EXPECT_EQ(symbolOfIr("\"no end"), "");
  std::size_t length = 0;
  EXPECT_EQ(symbolOfIr("\"a b\"(", length), "a b");
  EXPECT_EQ(length, 5u);
}

TEST(SymbolTest, EscapesOfAssemblyAreReadAsWell) {
  EXPECT_EQ(unescapedSymbol("\\\"q\\\" new\\nline back\\\\slash"), "\"q\" new\nline back\\slash");
  EXPECT_EQ(unescapedSymbol("end\\"), "end\\");
}

TEST(SymbolTest, NamesOfCxxAreShownAsPeopleWriteThem) {
  EXPECT_EQ(demangled("_ZN1n6größeEi"), "_ZN1n6größeEi") << "of 6 bytes it is another";
  EXPECT_EQ(demangled("_ZN1n7größeEi"), "n::größe(int)");
  EXPECT_EQ(demangled("_ZSt3minIiERKT_S2_S2_"), "int const& std::min<int>(int const&, int const&)");
  EXPECT_EQ(demangled("main"), "main");
  EXPECT_EQ(demangled("i"), "i") << "which is a type, and no function";
  EXPECT_EQ(demangled("_Z"), "_Z");
  EXPECT_EQ(demangledIn("'_Z1fi' inlined into 'main', x_Z1fi is not, nor _Z"),
            "'f(int)' inlined into 'main', x_Z1fi is not, nor _Z");
}

// Each type is a pair of the one before, twice.
TEST(SymbolTest, ANameWhoseTypesWouldTakeAPageStaysAsItIs) {
  std::string name = "_Z1fSt4pairIiiE";
  for (int i = 0; i < 40; ++i) name += fmt::format("S_IS{0}_S{0}_E", i == 0 ? "" : std::to_string(i % 9));
  EXPECT_EQ(demangled(name), name);
  EXPECT_EQ(demangled("_Z" + std::string(100000, 'N')), "_Z" + std::string(100000, 'N'));
}

}  // namespace
}  // namespace ordo
