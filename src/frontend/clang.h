// Stock clang-22 as the front end, the code generator and the linker, run as a program.
//
// Threads: everything is thread-safe. Cost: one or two processes per call, 20 ms and up.
// Failure: kInvalidArgument with clang's words when it rejects the program or the flags, kNotFound with the
//          package to install when a tool is missing, kUnsupported with LLVM's reason when it crashes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/level.h"
#include "support/error.h"

namespace ordo::frontend {

// One translation unit, or several that become one module before any pass. Every process runs in `dir`,
// so that relative flags and __FILE__ mean the same as in the user's build.
struct Source {
  std::filesystem::path path;      // relative to `dir`, or absolute
  std::string language;            // as clang's -x: c, c++, cpp-output, c++-cpp-output, ir (text or bitcode)
  std::vector<std::string> flags;  // the user's, unchecked
  std::filesystem::path dir;       // "" is the current directory
  // Further translation units, compiled as `path` is and linked behind it; not for IR. No two have the same
  // stem.
  std::vector<std::filesystem::path> more = {};
};

struct Compiled {
  std::string bytes;
  std::string warnings;            // clang's standard error
  std::vector<std::string> notes;  // see Flags::notes
  // The stock commands that make the same bytes, to run in `dir`; the last one makes them.
  std::vector<std::vector<std::string>> commands;
};

// What clang itself makes of it: `clang-22 -Oz <flags> -c path`, an object file. The oracle that
// baselines are held to. Of several translation units: what it makes of the module they are linked into.
Result<Compiled> compileStock(const Source& source, Level level);

// Bitcode as it enters clang's optimisation pipeline at `level`. The level sets attributes and
// macros: -Oz marks functions minsize and optsize, -O0 marks them noinline and optnone. IR is as somebody's
// compiler made it, so it is given what clang gives at -Oz and -Os: without, their pipelines are much weaker,
// and beating them is no feat. Else it keeps the attributes it has. Failures of IR are those of readIr().
Result<Compiled> compileToBitcode(const Source& source, Level level);

// The same before it is bitcode, as text, one unit behind the other; not for IR. To look at: whoever writes
// bitcode has what stands in asm() at file scope assembled, for its symbols, and so opens files that it
// names.
Result<std::string> compileToText(const Source& source, Level level);

// Machine code from optimised bitcode, without another pass over the IR: what clang does at the end
// of `clang-22 -Oz <flags> -c`. Only the flags and the folder of `source` matter.
Result<std::string> emitObject(std::string_view bitcode, Level level, const Source& source);
Result<std::string> emitAssembly(std::string_view bitcode, Level level, const Source& source);

// The stock command that emitObject() stands for, from the file `in` to the file `out`.
Result<std::vector<std::string>> emitCommand(Level level, const Source& source,
                                             const std::filesystem::path& in,
                                             const std::filesystem::path& out);

// An executable at `out` from the bytes of one object, linked as clang or clang++ does by language. With
// `shift` bytes of code before the object's own: how fast a program is depends on where its code lies, and
// this moves it.
Status linkExecutable(std::string_view object, const Source& source, const std::vector<std::string>& ldflags,
                      const std::filesystem::path& out, std::size_t shift = 0);

}  // namespace ordo::frontend
