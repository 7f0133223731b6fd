// For which machine IR is, told without LLVM.
#pragma once

#include <string>
#include <string_view>

namespace ordo::frontend {

// What a module says of the machine that it is for; "" where it says nothing.
struct ModuleTarget {
  std::string triple;
  std::string layout;  // of its data, as it was written: readers make that of older versions today's
};

// Of bitcode bare or in Darwin's wrapper; nothing of bytes that are not bitcode that can be followed so far.
// Of several modules: that of the first.
ModuleTarget targetOf(std::string_view bitcode);

// Whether a module for `triple` means the same when it is compiled for `target`, as clang does with IR
// whatever triple it names: the vendor, and what a triple leaves open, make no difference.
bool meansSame(std::string_view triple, std::string_view target);

// Whether the machine is of the family of x86.
bool isX86(std::string_view triple);

// Whether this machine runs programs for `triple` as they are.
bool runsHere(std::string_view triple);

}  // namespace ordo::frontend
