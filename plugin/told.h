// What the compiler that this plugin is in was told, by whoever started it: a program of its name may be a
// wrapper that adds words and runs another one.
#pragma once

#include <string>
#include <vector>

namespace ordo::plugin {

// The words of clang's driver, its own name first; none where the system does not say them.
std::vector<std::string> toldWords();

// The files that it is: the program, and the libraries of LLVM and clang in it.
std::vector<std::string> compilerFiles();

// A variable that makes clang's driver take other words than these, if there is one; else "".
std::string variableBetween();

}  // namespace ordo::plugin
