// What the capturing compiler does when a build runs it: the object that was asked for, and beside it
// unoptimised bitcode of the same translation unit, with a record that says what it is.
//
// Everything is told through the environment, for the build knows nothing of it:
//   ORDO_CAPTURE_ROOT     the folder with the sources and everything that is built; nothing outside is kept
//   ORDO_CAPTURE_SYSROOT  the headers and libraries to build against; those of the system if absent
//   ORDO_CAPTURE_OUT      where <key>.bc and <key>.json go; nothing is captured if absent (configure)
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::capture {

inline constexpr const char* kRootVariable = "ORDO_CAPTURE_ROOT";
inline constexpr const char* kSysrootVariable = "ORDO_CAPTURE_SYSROOT";
inline constexpr const char* kOutVariable = "ORDO_CAPTURE_OUT";

// One compiled file. Its bitcode is <key>.bc beside the record, unless there is an error.
struct Record {
  std::string source;              // relative to the root: "lib/inflate.c"
  std::string object;              // relative to the root
  std::string language;            // c or c++
  std::vector<std::string> flags;  // that say what the program means; root and sysroot are "." and ""
  std::string error;               // why there is no bitcode, or ""
};

std::string writeRecord(const Record& record);
// kCorrupt if `text` is not what writeRecord() writes; `name` is for messages.
Result<Record> readRecord(std::string_view text, const std::string& name);

// Whether an object file defines a function, and whether it holds `needle`: what depends on the folder
// it was built in says so in its strings, which bitcode packs into odd numbers of bits.
struct ObjectFacts {
  bool has_function = false;
  bool has_needle = false;
};
ObjectFacts inspectObject(std::string_view object, std::string_view needle);

// Does what argv asks for, and gives the exit status. argv[0] ends in "++" for C++.
int runCompiler(int argc, char** argv);

}  // namespace ordo::capture
