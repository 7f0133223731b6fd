// Options of LLVM with which a user may change what its passes do: clang's -mllvm, opt's own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ordo::notation {

// Whether `option` ("-inline-threshold=-25") is one that bears on passes alone, and on each of them the same
// wherever it runs: in clang, in opt, in a session that has it set. It has to be one word, with a number.
// What is not on the list may make passes print, read files, or be about code that is made of the result.
bool isPassOption(std::string_view option);

// Adds `option` to those that are set: of two with one name the later counts.
void setPassOption(std::vector<std::string>& options, const std::string& option);

}  // namespace ordo::notation
