// Learned eviction as one more choice of the code generator: an option of LLVM's, as all of them are
// (llvm/ir/codegen_options.h), `-ordo-evict=evict`. So a search tries it, a recipe holds it, and stock clang
// takes it behind -mllvm where the plugin is loaded.
#pragma once

#include <filesystem>

#include "llvm/advisors/inline_advisor.h"

namespace ordo::advisors {

// Where the option finds what it names: `NAME.safetensors` in this folder. Before the option is set, and by
// who wants it to be there at all: LLVM knows it in programs that call this.
void offerEvictionChoice(std::filesystem::path folder);

// What the option asks for now; empty if it is not set.
MakeAdvisor chosenEviction();

}  // namespace ordo::advisors
