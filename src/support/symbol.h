// Names of functions as people read them. LLVM and assemblers quote and escape what is no letter of ASCII,
// each in its own way, and C++ puts types into names. The name that everybody here is told, and asks by, is
// shownSymbol()'s: UTF-8, one line, and different for different names; demangled() is shown beside it.
#pragma once

#include <string>
#include <string_view>

namespace ordo {

// `bytes` as UTF-8: what is none, control characters and backslashes as "\1F".
std::string shownSymbol(std::string_view bytes);

// The bytes of a text with escapes: LLVM's "\1F" and "\\", and the "\n" and "\"" of assembly.
std::string unescapedSymbol(std::string_view text);

// The name that `text`, of textual IR, begins with, behind its '@', as it is shown: "größe" of
// `"gr\C3\B6\C3\9Fe"(i32 %0)`, "main" of `main(`. `length` is how much of the text it takes; "" if it is
// none.
std::string symbolOfIr(std::string_view text, std::size_t& length);
inline std::string symbolOfIr(std::string_view text) {
  std::size_t length = 0;
  return symbolOfIr(text, length);
}

// "std::min(int, int)" for a name of C++'s; any other as it is, and so one whose types would take a page.
std::string demangled(const std::string& symbol);

// With each name of C++'s in it as demangled() has it.
std::string demangledIn(std::string_view text);

}  // namespace ordo
