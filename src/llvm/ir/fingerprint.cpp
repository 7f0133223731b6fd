// Works on the printed module, because the printer is the one place of LLVM that is bound to know
// every property of every kind of IR. What a function refers to (#3, !7, @name, %struct.name) is
// replaced by the hash of the line that defines it.
#include "llvm/ir/fingerprint.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <cctype>
#include <string_view>
#include <unordered_map>

#include "support/error.h"

namespace ordo::ir {
namespace {

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '$' || c == '.' || c == '_' ||
         c == '\\';
}

// The reference that starts at text[at] with its sigil: @name, @"any name", #12, !7, %type, $comdat.
std::string_view referenceAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  if (end < text.size() && text[end] == '"') {
    end = text.find('"', end + 1);
    return text.substr(at, end == std::string_view::npos ? end : end + 1 - at);
  }
  while (end < text.size() && isNameCharacter(text[end])) ++end;
  return text.substr(at, end - at);
}

// The numbers of attributes and metadata are the printer's; all other names are the module's.
bool isNumbered(std::string_view reference) {
  return (reference[0] == '#' || reference[0] == '!') && reference.size() > 1 &&
         std::isdigit(static_cast<unsigned char>(reference[1])) != 0;
}

class Definitions {
 public:
  void add(std::string_view reference, std::string_view line) {
    entries_.try_emplace(reference, Entry{line, {}, Entry::kUnknown});
  }

  // Hash of `text` with every reference that is defined here replaced by what it stands for.
  Hash128 hash(std::string_view text) {
    std::string expanded;
    expanded.reserve(text.size() * 2);
    std::size_t copied = 0;
    for (std::size_t at = text.find_first_of("@#!%$"); at != std::string_view::npos;
         at = text.find_first_of("@#!%$", at)) {
      const std::string_view reference = referenceAt(text, at);
      const auto found = reference.size() > 1 ? entries_.find(reference) : entries_.end();
      at += std::max<std::size_t>(reference.size(), 1);
      if (found == entries_.end()) continue;
      const std::size_t keep = isNumbered(reference) ? at - reference.size() : at;
      expanded.append(text.substr(copied, keep - copied));
      copied = at;
      const Hash128 meaning = meaningOf(found->second);
      expanded.append(reinterpret_cast<const char*>(&meaning), sizeof meaning);
    }
    expanded.append(text.substr(copied));
    return hashBytes(expanded);
  }

 private:
  struct Entry {
    std::string_view line;
    Hash128 hash;
    enum { kUnknown, kInProgress, kKnown } state;
  };

  // Loop metadata refers to itself: there, zero stands for the node.
  Hash128 meaningOf(Entry& entry) {
    if (entry.state == Entry::kUnknown) {
      entry.state = Entry::kInProgress;
      entry.hash = hash(entry.line);
      entry.state = Entry::kKnown;
    }
    return entry.state == Entry::kKnown ? entry.hash : Hash128{};
  }

  std::unordered_map<std::string_view, Entry> entries_;
};

// What `line` defines, as others refer to it: "" if nothing. The line of `attributes #3 = {...}` defines #3.
std::string_view definedBy(std::string_view line) {
  if (line.starts_with("define ") || line.starts_with("declare "))
    return referenceAt(line, std::min(line.find('@'), line.size() - 1));
  if (line.starts_with("attributes #")) line.remove_prefix(std::string_view("attributes ").size());
  if (line.empty() || std::string_view("@#!%$").find(line[0]) == std::string_view::npos) return {};
  return referenceAt(line, 0);
}

// The right-hand side, for what is numbered: the number must not be part of the meaning.
std::string_view meaningOf(std::string_view reference, std::string_view line) {
  return isNumbered(reference) ? line.substr(line.find('=') + 1) : line;
}

std::uint64_t alignOf(const llvm::Function& function) {
  constexpr std::uint64_t kPreferred = 16;
  return std::max(function.getAlign().valueOrOne().value(), function.hasOptSize() ? 1 : kPreferred);
}

}  // namespace

ModuleFingerprint fingerprint(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr, /*ShouldPreserveUseListOrder=*/true);

  Definitions definitions;
  std::vector<std::string_view> bodies;   // of functions, from "define" to "}"
  std::vector<std::string_view> globals;  // lines that are no function's
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size(); at = next) {
    next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, next - at);
    if (line.starts_with(';') || line.starts_with("uselistorder")) continue;
    if (const std::string_view reference = definedBy(line); !reference.empty())
      definitions.add(reference, meaningOf(reference, line));
    if (line.starts_with("define ")) {
      next = std::min(text.find("\n}\n", at), text.size() - 3) + 3;
      bodies.push_back(std::string_view(text).substr(at, next - at));
    }
    // Numbered lines matter only where something refers to them.
    if (line[0] != '!' || line.find("!llvm.") == 0) globals.push_back(line);
  }

  ModuleFingerprint result;
  std::string flags;  // "PIC Level", "cf-protection" and their like: part of every function's meaning
  std::string all;
  for (const std::string_view line : globals) {
    if (line.starts_with("attributes #")) continue;
    const Hash128 hash = definitions.hash(line);
    (line.starts_with("!llvm.") ? flags : all).append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
  result.globals = hashBytes(all + flags);
  auto body = bodies.begin();
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    ORDO_CHECK(body != bodies.end(), "a function of {} was not printed", module.getModuleIdentifier());
    const Hash128 hash = definitions.hash(*body++);
    if (function.hasAvailableExternallyLinkage()) continue;
    std::string key = flags;
    key.append(reinterpret_cast<const char*>(&hash), sizeof hash);
    result.functions.push_back(
        {function.getName().str(), hashBytes(key), function.getInstructionCount(), alignOf(function)});
  }
  return result;
}

}  // namespace ordo::ir
