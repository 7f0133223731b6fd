// A result in terms of stock LLVM: the commands that make it, and the proof that they do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/session.h"
#include "frontend/clang.h"
#include "frontend/driver.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::engine {

// How clang makes code at `level` with what its driver said: env::SessionSpec::settings.
std::string settingsOf(const frontend::CodegenFlags& codegen, frontend::Level level);

// The runs of opt-22 that apply `actions`: neighbouring pipelines are one run, each attribute action
// is a run of its own (its options hold for a whole process), and choices for functions are one for each
// sequence and one more. Choices of the code generator are none. REQUIRES: notation::checkKinds() has nothing
// to say.
std::vector<frontend::Pipeline> stockRuns(const std::vector<env::Action>& actions);

// `source` with the flags that make machine code of what `actions` made of it: its own, and -mllvm for each
// choice of the code generator. For frontend::emitObject() and its like.
frontend::Source emissionSource(frontend::Source source, const std::vector<env::Action>& actions);

// Shell lines from source to object: front end, one opt for each run, code generator.
Result<std::vector<std::string>> stockCommands(const Input& input, const std::vector<env::Action>& actions,
                                               std::string_view object);

// What stock opt-22 makes of `bitcode` with `actions`.
Result<std::string> runStock(std::string_view bitcode, const std::vector<env::Action>& actions,
                             const frontend::CodegenFlags& codegen);

// That this is the state of that hash, in a sentence; kCorrupt if it is another, and errors as of reach() and
// of opt-22.
Result<std::string> proveWithStock(Engine& engine, const Input& input, std::string_view bitcode,
                                   const std::vector<env::Action>& actions, const Hash128& hash);

}  // namespace ordo::engine
