// What clang's driver makes of a level and flags before it looks at any program: the pass pipeline
// and the settings of the code generator. Baselines are built from these (docs/adr/0004-baselines.md).
#pragma once

#include <string>
#include <vector>

#include "frontend/clang.h"
#include "frontend/level.h"
#include "support/error.h"

namespace ordo::frontend {

// The passes that `clang-22 -Oz <flags> -c` runs. Exact, but for loops with an unroll pragma under
// -fno-unroll-loops.
struct Pipeline {
  std::string text;  // for opt's -passes=
  // LLVM options without which `text` is only close, because it does not spell out every parameter.
  // Empty unless flags change the passes of -O3. A session has no such options.
  std::vector<std::string> opt_flags;
};

// Depends on the level, the language and the flags of `source`, never on the program. About 30 ms.
Result<Pipeline> capturePipeline(const Source& source, Level level);

// How machine code is made, as far as a TargetMachine can be told without clang.
struct CodegenFlags {
  std::string triple;
  std::string relocation = "pic";  // or static, ...
  std::string code_model;          // "" is the target's default
  bool function_sections = false;
  bool data_sections = false;
  // What the object says of the machine, where functions do not say it all: not on x86.
  std::string cpu;
  std::string features;                 // +a,-b
  std::string abi;                      // ilp32, lp64d, aapcs, …
  std::string float_abi;                // soft, softfp, hard
  bool tlsdesc = false;                 // how thread-local variables are found
  std::vector<std::string> llvm_flags;  // the user's -mllvm options
  // Options of cc1 that change machine code and that nothing above carries. If there are any, sizes
  // measured in memory are approximate; objects are always emitted by clang and so are exact.
  std::vector<std::string> unmodelled;
};

Result<CodegenFlags> codegenFlags(const Source& source, Level level);

}  // namespace ordo::frontend
