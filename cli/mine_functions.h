// ordo mine --functions: what sequences of functions do to the functions of training programs, and the few
// that serve them best (docs/formats/function-sequences.md).
#pragma once

#include <string>
#include <vector>

#include "spaces/space.h"

namespace ordo::cli {

struct MineFunctionsOptions {
  std::vector<std::string> programs;
  std::string labels;  // the file of labels; what is there is added to
  std::string out;     // where what was chosen goes
  std::string space = "text";
  std::string baseline = "clang-Oz";
  std::string objective = "code_bytes";
  std::size_t sequences = 96;  // that are tried, of each track
  std::size_t kept = 24;       // of each track
};

// The exit code. Interrupted, it keeps the labels of the programs that are done, and goes on from there.
int mineFunctions(const MineFunctionsOptions& options);

}  // namespace ordo::cli
