// What a client of the tools may have opened, read, passed to clang and written. A tool server for compilers
// is a way to run code: so there is a list of what is allowed, and nothing else is. Below the client's roots
// it may read and, where it asks for a folder, write; of clang's options it may use those that say what the
// language, the code and the warnings are.
//
// It is made for clients that may be misled, by what a program says of itself as much as by whoever talks to
// them. What it does not stop: a client that can change files while they are compiled can have clang read
// another file than the one that was looked at; and compiling a program takes time and memory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "support/error.h"

namespace ordo::agent {

// Immutable; thread-safe.
class Permissions {
 public:
  // For a person's own command line: whatever that person may do.
  static Permissions everything() { return Permissions(); }

  // Below these folders, links resolved, and of the datasets that are Ordo's own (suite, generated programs,
  // harvested ones). kNotFound for one that is no folder. None: of the datasets only.
  static Result<Permissions> within(const std::vector<std::filesystem::path>& roots);

  // The program that `file` names, with these flags, if it may be opened. Its own flags and libraries, which
  // a program.toml says, are held to the same. kInvalidArgument says what is not allowed, and what is.
  Result<datasets::Program> program(const std::string& file, const std::vector<std::string>& flags) const;

  // Of a program that was opened, as text: whether its assembly may be assembled.
  Status checkAssembly(std::string_view ir) const;

  // Whether messages may quote what this program prints: one that a client brings can read any file while it
  // is run (sandbox/confined.h).
  bool mayQuote(const datasets::Program& program) const;

  // A folder to write to: it has to be there. Its path with links resolved.
  Result<std::filesystem::path> folder(const std::string& path) const;

  bool restricted() const { return !everything_; }

  // The same, but only what is below one of `others` as well; those that are no folders are left out.
  Permissions narrowedTo(const std::vector<std::filesystem::path>& others) const;

 private:
  Permissions() = default;

  bool inside(const std::filesystem::path& path) const;
  std::filesystem::path located(const std::string& file) const;
  Status checkFlags(const std::vector<std::string>& flags, const std::filesystem::path& dir) const;
  // `own` is the folder of a program that may read what is in it; "": none.
  Status checkInputs(const datasets::Program& program, const std::vector<std::string>& flags,
                     const std::filesystem::path& own) const;

  bool everything_ = true;
  std::vector<std::filesystem::path> roots_;  // canonical
};

}  // namespace ordo::agent
