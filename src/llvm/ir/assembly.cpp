// A directive has a dot, which is in the text or in the name of a symbol that an operand stands for. So each
// dot of the text must be within a word, begin an argument of something before it on its line, or begin one
// of kDirectives, spelled in full. And where there are operands, no symbol has a name that begins with a dot,
// or that an assembler would take for more than a name. Comments and strings count as if they were
// statements: better one too many.
#include "llvm/ir/assembly.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace ordo::ir {
namespace {

// What stands for an operand once a dialect is chosen.
constexpr char kOperand = '\1';

// clang-format off
// What they do is a matter of their text alone. No directive that begins with "l" reads a file either, and
// ".L" begins every local label.
constexpr auto kDirectives = std::to_array<std::string_view>({
    // Where code and data go.
    "text", "data", "bss", "rodata", "tdata", "tbss", "section", "pushsection", "popsection", "previous",
    "subsection", "align", "balign", "p2align", "balignw", "balignl", "p2alignw", "p2alignl", "org", "skip",
    "space", "zero", "fill", "nops",
    // Symbols.
    "globl", "global", "weak", "hidden", "protected", "internal", "type", "size", "symver", "set", "equ",
    "equiv", "comm", "weakref", "ident", "thumb_set", "thumb_func", "variant_pcs",
    // Data.
    "byte", "short", "hword", "half", "word", "value", "2byte", "int", "4byte", "dword", "xword", "quad",
    "8byte", "octa", "ascii", "asciz", "string", "float", "single", "double", "uleb128", "sleb128", "inst",
    "inst.n", "inst.w", "insn", "reloc",
    // Elements of a vector register that an operand stands for.
    "b", "h", "s", "d", "q",
    // Conditions and repetition, with nothing put in.
    "if", "ifeq", "ifne", "ifge", "ifgt", "ifle", "iflt", "ifb", "ifnb", "ifdef", "ifndef", "ifnotdef", "else",
    "elseif", "endif", "rept", "endr",
    // What instructions mean.
    "code16", "code32", "code64", "att_syntax", "intel_syntax", "arch", "arch_extension", "cpu", "fpu", "arm",
    "thumb", "code", "syntax", "option", "attribute", "eabi_attribute", "pool",
    // Unwinding.
    "fnstart", "fnend", "cantunwind", "save", "vsave", "pad", "setfp", "movsp", "personality", "handlerdata"});
// As long as nothing is put into what they repeat.
constexpr auto kMacros = std::to_array<std::string_view>({"macro", "endm", "irp", "irpc"});
// How symbols that clang makes up itself may begin.
constexpr auto kClangs = std::to_array<std::string_view>({".compoundliteral", ".omp"});
// clang-format on

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isInName(char c) { return isWord(c) || c == '.' || c == '$' || c == '@' || c == '?'; }

// Whether what is at `at` is an argument: nothing but blanks and quotes is between it and a word or an
// operator, so no statement begins here.
bool isArgument(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\"", at - 1);
  if (before == std::string_view::npos) return false;
  const char c = text[before];
  return isWord(c) || c == ',' || c == '(' || c == '+' || c == '-' || c == '=';
}

bool isKnown(std::string_view word, bool has_parameters) {
  std::string name(word);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.starts_with("cfi_") || std::ranges::find(kDirectives, name) != kDirectives.end() ||
         (!has_parameters && std::ranges::find(kMacros, name) != kMacros.end());
}

// What is printed of inline assembly in one of its dialects.
std::string inDialect(std::string_view text, int dialect) {
  std::string result;
  std::optional<int> alternative;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    char c = text[i];
    if (c == '$') {
      ++i;
      if (next == '(') {
        alternative = 0;
        continue;
      }
      if (next == '|' && alternative) {
        ++*alternative;
        continue;
      }
      if (next == ')') {
        alternative.reset();
        continue;
      }
      if (next == '{') i = std::min(text.find('}', i), text.size());
      while (std::isdigit(static_cast<unsigned char>(next)) != 0 && i + 1 < text.size() &&
             std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0)
        ++i;
      c = next == '$' ? '$' : kOperand;
    }
    if (!alternative || *alternative == dialect) result += c;
  }
  return result;
}

// Whether an assembler takes it for nothing but a name, wherever it is put.
bool isPlainName(const llvm::GlobalValue& symbol) {
  std::string_view name = symbol.getName();
  const bool as_it_is = name.starts_with('\1');
  if (as_it_is) name.remove_prefix(1);
  const bool plain =
      std::ranges::all_of(name, [](char c) { return isInName(c) || static_cast<unsigned char>(c) >= 0x80; });
  // Private ones are written ".Lname".
  if (!name.starts_with('.') || (symbol.hasPrivateLinkage() && !as_it_is)) return plain;
  return plain && symbol.hasLocalLinkage() &&
         std::ranges::any_of(kClangs, [&](std::string_view known) { return name.starts_with(known); });
}

std::string notPlainName(const llvm::Module& module) {
  for (const llvm::GlobalValue& symbol : module.global_values())
    if (!isPlainName(symbol)) return symbol.getName().str();
  return "";
}

}  // namespace

std::string notUnderstood(std::string_view assembly) {
  const bool has_parameters = assembly.find('\\') != std::string_view::npos;
  for (std::size_t at = assembly.find('.'); at != std::string_view::npos; at = assembly.find('.', at + 1)) {
    const auto end =
        std::find_if_not(assembly.begin() + static_cast<std::ptrdiff_t>(at) + 1, assembly.end(), isInName);
    const std::string_view word(assembly.begin() + static_cast<std::ptrdiff_t>(at) + 1, end);
    if (at > 0 && isWord(assembly[at - 1])) continue;
    if (isArgument(assembly, at)) continue;
    if (word.starts_with('L') || word.starts_with('l')) continue;
    const bool spelled_out = end == assembly.end() || (*end != kOperand && *end != '\\');
    // A dot alone is the place itself, and with digits it is a number.
    const bool is_place = word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (spelled_out && (is_place || isKnown(word, has_parameters))) continue;
    return "." + std::string(word) + (spelled_out ? "" : "…");
  }
  return "";
}

std::string notUnderstood(const llvm::Module& module) {
  if (std::string part = notUnderstood(module.getModuleInlineAsm()); !part.empty()) return part;
  bool has_operands = false;
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || !call->isInlineAsm()) continue;
      const auto* const assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
      for (const int dialect : {0, 1}) {
        const std::string text = inDialect(assembly->getAsmString(), dialect);
        if (std::string part = notUnderstood(text); !part.empty()) return part;
        has_operands |= text.find(kOperand) != std::string::npos;
      }
    }
  }
  return has_operands ? notPlainName(module) : "";
}

}  // namespace ordo::ir
