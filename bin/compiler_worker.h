// What worker programs have in common whose compiler stands on LLVM's libraries: how they are started, and
// what they leave behind when LLVM gives up.
#pragma once

#include <memory>

#include "env/session.h"

namespace ordo {

// The main of `program`: makes the backend, warm, before any worker is forked, and serves its sessions in
// each. Only returns, the program's exit code, where somebody started it by hand. REQUIRES: no thread was
// started.
int runCompilerWorker(int argc, char** argv, const char* program,
                      std::unique_ptr<env::Backend> (*makeWarmBackend)());

}  // namespace ordo
