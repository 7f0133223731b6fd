// Which of clang's options the drop-in compiler understands. The rule is a list of what is allowed: a command
// with any other word is clang's own, because an option that nobody here has thought about may read another
// input, write another output, or make another kind of object than the one that is kept in the cache.
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/options.h"

namespace ordo::builds {

// What an option is about.
enum class Meaning : std::uint8_t {
  kFrontEnd,  // what the module is; its hash says so
  kCode,      // what code is made of it
  kCompile,   // -c
  kOutput,    // -o
  kLanguage,  // -x
  kLevel,     // -O
  kRemarks,   // asks for clang's remarks as YAML
  kLink,      // nothing, without a link
};

// nullopt for an option that is not understood, or has a value that is not.
std::optional<Meaning> meaningOf(const frontend::Argument& argument);

}  // namespace ordo::builds
