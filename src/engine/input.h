// A program made ready for tuning. Where stock LLVM is the toolchain: compiled to bitcode by clang as the
// baseline would compile it, with the baseline's own pipeline and code generator settings beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/program.h"
#include "engine/baseline.h"
#include "engine/toolchain.h"
#include "env/session.h"
#include "frontend/clang.h"
#include "frontend/driver.h"
#include "recipe/recipe.h"
#include "support/error.h"

namespace ordo::engine {

struct Input {
  datasets::Program program;
  frontend::Source source;
  frontend::Compiled compiled;  // what a session opens; bitcode before any pass
  frontend::Pipeline pipeline;  // what clang would run at the baseline's level
  frontend::CodegenFlags codegen;
  Baseline baseline;
  const Toolchain* toolchain = &stockLlvm();
  env::Action own_baseline = {};   // where the toolchain is workerOnly()
  std::string own_settings = {};   // as of env::SessionSpec, there
  std::vector<std::string> notes;  // what the user should know: dropped flags, approximations

  // As of env::SessionSpec.
  std::string settings() const { return toolchain->settings(*this); }

  // Why this machine cannot run what is made of it, neither itself nor by an emulator; "" if it can.
  std::string whyNotRun() const;
};

// Loads and compiles `path_or_uri` with the program's own flags and then `flags`. The front end
// and clang's driver run side by side, about 50 ms for a small file.
Result<Input> prepareInput(std::string_view path_or_uri, const Baseline& baseline,
                           const std::vector<std::string>& flags);

// The same for a program that was loaded.
Result<Input> prepareInput(datasets::Program program, const Baseline& baseline,
                           const std::vector<std::string>& flags);

// `path_or_uri`, or the recipe's own source if that is empty, compiled as for `recipe`: with its
// baseline and its flags, which include those the program came with.
Result<Input> prepareInputFor(const recipe::Recipe& recipe, std::string_view path_or_uri);

}  // namespace ordo::engine
