// For which machine IR is, told without LLVM.
#pragma once

#include <string>
#include <string_view>

namespace ordo::frontend {

// The target triple that a module names, of bitcode bare or in Darwin's wrapper; "" if it names none, or if
// these bytes are not bitcode that can be followed so far. Of several modules: that of the first.
std::string tripleOf(std::string_view bitcode);

// Whether a module for `triple` means the same when it is compiled for `target`, as clang does with IR
// whatever triple it names: the vendor, and what a triple leaves open, make no difference.
bool meansSame(std::string_view triple, std::string_view target);

// Whether the machine is of the family of x86.
bool isX86(std::string_view triple);

// Whether this machine runs programs for `triple` as they are.
bool runsHere(std::string_view triple);

}  // namespace ordo::frontend
