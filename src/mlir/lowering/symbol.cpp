#include "mlir/lowering/symbol.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace ordo::lowering {
namespace {

// Of C23 and C++23, but for those that begin with `_`.
constexpr auto kWords = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "main",
    // What begins an object's sections, to linkers.
    "edata",
    "end",
    "etext",
    "environ",
    "linux",
    "unix",
});

bool isTaken(const std::string& name) {
  for (const char* library : {"libc.so.6", "libm.so.6"}) {
    void* const opened = ::dlopen(library, RTLD_LAZY);
    if (opened != nullptr && ::dlsym(opened, name.c_str()) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::string symbolOf(std::string_view function) {
  std::string name(function);
  for (char& letter : name) {
    const bool digit = letter >= '0' && letter <= '9';
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
    if (!plain && !digit) letter = '_';
  }
  const bool begins_badly =
      name.empty() || name.front() == '_' || (name.front() >= '0' && name.front() <= '9');
  if (begins_badly || name.starts_with("ordo_") || std::ranges::find(kWords, name) != kWords.end() ||
      isTaken(name))
    name.insert(0, "ordo_");
  return name;
}

}  // namespace ordo::lowering
