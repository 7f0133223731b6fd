// A compiler's command line, as far as capturing needs to understand it: which files it compiles to
// which object, and with which flags the same files make bitcode that is the same everywhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ordo::capture {

struct Input {
  std::string path;      // as it was given
  std::string language;  // as clang's -x spells it
};

// What there is to capture in a command. No inputs: nothing, it only has to run.
struct Command {
  std::vector<Input> inputs;
  // The object that -c makes of the only input; "" if the command also links.
  std::string object;
  // Everything that says what the program means, in order: macros, folders, dialect, target.
  std::vector<std::string> meaning;
  // Flags that write dependency files, complete with target and file.
  std::vector<std::string> dependencies;
  // Flags of the code generator that bitcode does not hold: -fPIC, -mcmodel=...
  std::vector<std::string> codegen;
};

// Understands `arguments`, those after the compiler's name. Commands that make no object of a file of
// C or C++ (-E, -S, -M, linking, assembler, standard input, what configure tries) have no inputs.
Command parseCommand(const std::vector<std::string>& arguments);

// The paths that no bitcode may depend on.
struct Places {
  std::filesystem::path cwd;
  std::filesystem::path root;     // of the sources and of what is built
  std::filesystem::path sysroot;  // "" is the system itself
};

// `path` as it must be given from `cwd`, if it lies in `root`: relative, so that no name of a folder
// outside gets into the module. Others are left alone.
std::string relativeInput(const std::string& path, const Places& places);

// Arguments (without the program) that make unoptimised bitcode of `input` at `out`: the level's
// attributes are those of -O2, passes have not run, nothing tells of folder, date, user or host.
std::vector<std::string> bitcodeArguments(const Command& command, const Input& input, const Places& places,
                                          const std::string& out);

// Arguments that make an object of that bitcode as fast as possible.
std::vector<std::string> objectArguments(const Command& command, const std::string& bitcode,
                                         const std::string& out);

// Arguments for running the command as it is, against the sysroot, and as tolerant as compilers used to
// be. `cxx` is whether clang++ runs it.
std::vector<std::string> plainArguments(const std::vector<std::string>& arguments, bool cxx,
                                        const Places& places);

}  // namespace ordo::capture
