// What a pass did to a program, as a unified diff of the functions it changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/style.h"

namespace ordo::shell {

// A function with the comments above it, its name as shownSymbol() has it; or, with the name "", everything
// outside of functions.
struct IrPart {
  std::string name;
  std::vector<std::string_view> lines;
};

// The parts of textual LLVM IR in order, what is outside first. Views of `text`. A text without functions
// is one part.
std::vector<IrPart> splitIr(std::string_view text);

struct IrDiffOptions {
  // Unnamed values, attributes and metadata are numbered anew whenever one comes or goes, so two lines
  // that differ in such numbers alone count as the same unless this is set; nor does metadata count.
  bool exact = false;
  std::size_t max_lines = 0;  // of all functions together; 0: no limit
};

struct IrDiff {
  struct Part {
    std::string name;  // of IrPart
    std::size_t added = 0, removed = 0;
    std::string text;  // its hunks with three lines around each; "" if `max_lines` was reached before
  };
  std::vector<Part> parts;  // those with changes
  std::size_t lines_left_out = 0;
};

IrDiff diffIr(std::string_view before, std::string_view after, const IrDiffOptions& options,
              const Style& style);

}  // namespace ordo::shell
