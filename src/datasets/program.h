// A Program is what a user names when asking for something to be tuned: a C or C++ file, LLVM IR as
// text or bitcode, or a program of the suite, a folder whose program.toml says how to build and test
// it (docs/formats/program.md). Loading looks at names and first bytes only; compiling is for
// frontend/ and checking IR is for the LLVM worker.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::datasets {

enum class ProgramKind { kSource, kIrText, kBitcode, kSuite };

// "source", "ir", "bitcode", "suite"
std::string_view name(ProgramKind kind);

// One run of the finished program. Paths are relative to Program::dir.
struct ProgramTest {
  std::string name;
  std::vector<std::string> args;
  std::optional<std::filesystem::path> input;  // its standard input; empty if absent
  std::filesystem::path expected;              // what it must write to standard output
  int exit = 0;
  double timeout_s = 10;
};

struct Program {
  std::string uri;   // what loadProgram() accepts again from the same working directory
  std::string name;  // "sha256": for messages and file names
  std::string summary;
  ProgramKind kind = ProgramKind::kSource;
  // As clang's -x spells it: c, c++, cpp-output (.i), c++-cpp-output (.ii) or ir.
  std::string language;
  std::filesystem::path dir;     // where compilers and tests run; "" is the current directory
  std::filesystem::path source;  // relative to `dir`, or absolute
  std::vector<std::string> cflags;
  std::vector<std::string> ldflags;
  std::vector<ProgramTest> tests;

  std::filesystem::path path() const { return dir / source; }
};

// A file, a folder with program.toml, or `suite/<name>`, looked up from the current directory and
// then beside Ordo's data. kNotFound, kInvalidArgument (nothing Ordo can compile), kCorrupt (a bad
// program.toml) or kUnavailable (unreadable); every message says what to do instead.
Result<Program> loadProgram(std::string_view path_or_uri);

// The text of `path`, a program.toml, which only serves for messages and the folder's name: no file
// is looked at. kCorrupt with file:line:column and the key, kUnsupported for a newer format.
Result<Program> parseProgramToml(std::string_view text, const std::filesystem::path& path);

}  // namespace ordo::datasets
