// What names a module in a build.
#pragma once

#include "support/hash.h"

namespace llvm {
class Module;
}

namespace ordo::plugin {

// The hash of its bitcode, but for the name of its source: the same program in another folder is the same.
// The module is as it was afterwards.
Hash128 moduleHash(llvm::Module& module);

}  // namespace ordo::plugin
