// A Program is what a user names when asking for something to be tuned: a C or C++ file, LLVM IR as
// text or bitcode, a kernel of MLIR, or a program of the suite, a folder whose program.toml says how to build
// and test it (docs/formats/program.md). Loading looks at names and first bytes only; compiling is for
// frontend/ and checking IR is for the LLVM worker.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/runner.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::datasets {

enum class ProgramKind { kSource, kIrText, kBitcode, kSuite, kKernel };

// Which part of a dataset a learner sees. Parts are disjoint and never change for a given name.
enum class Split { kAll, kTrain, kValidation, kTest };

// "source", "ir", "bitcode", "suite", "kernel"
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

// One run that takes long enough to be timed. Its input is made of small files, and its output is known by
// its hash, so that neither has to be kept. Paths are relative to Program::dir.
struct TimedRun {
  std::string name;
  std::vector<std::string> args;
  // Standard input: `before`, then `input` `repeat` times, then `after`.
  std::optional<std::filesystem::path> before, input, after;
  std::size_t repeat = 1;
  Hash128 expected;  // of standard output
  int exit = 0;
  double timeout_s = 10;
};

struct Program {
  std::string uri;   // what loadProgram() (dataset.h) accepts again from the same working directory
  std::string name;  // "sha256": for messages and file names
  std::string summary;
  ProgramKind kind = ProgramKind::kSource;
  // As clang's -x spells it: c, c++, cpp-output (.i), c++-cpp-output (.ii) or ir; mlir for kernels.
  std::string language;
  std::filesystem::path dir;     // where compilers and tests run; "" is the current directory
  std::filesystem::path source;  // relative to `dir`, or absolute
  std::vector<std::filesystem::path> more_sources;  // linked with `source` into one module before any pass
  std::vector<std::string> cflags;
  std::vector<std::string> ldflags;
  std::vector<ProgramTest> tests;
  std::vector<TimedRun> runs;
  // It can be linked and run without arguments and input, ends by itself, and prints what it computed:
  // what a generator promises. Programs with tests are runnable as their tests say.
  bool runnable = false;
  // The machine that boots it, as qemu names it: it is the whole image of one ("mps2-an386"), or "".
  std::string machine;
  Runner runner;                 // what runs it, known once it is known for which target it is compiled
  bool evaluation_only = false;  // see DatasetInfo
  Split split = Split::kAll;     // the part of its dataset that it is in, or program.toml's; kAll if neither

  std::filesystem::path path() const { return dir / source; }
};

// The program at `path`: a file, a folder with program.toml, or that program.toml. kNotFound,
// kInvalidArgument (nothing Ordo can compile), kCorrupt (a bad program.toml) or kUnavailable
// (unreadable); every message says what to do instead. `uri` is left empty.
Result<Program> loadPath(const std::filesystem::path& path);

// Whether a file of this name can be a program, by its extension.
bool hasProgramExtension(const std::filesystem::path& path);

// Whether `path` is a folder with a program.toml.
bool isProgramFolder(const std::filesystem::path& path);

// `path` without the slash that a shell completes, and without "./" and "a/..".
std::filesystem::path tidy(std::string_view path);

// The text of `path`, a program.toml, which only serves for messages and the folder's name: no file
// is looked at. kCorrupt with file:line:column and the key, kUnsupported for a newer format.
Result<Program> parseProgramToml(std::string_view text, const std::filesystem::path& path);

}  // namespace ordo::datasets
