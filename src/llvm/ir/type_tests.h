// Type tests are questions that only a whole link can answer.
#pragma once

namespace llvm {
class Module;
}

namespace ordo::ir {

// Whether only a link's own passes can make of the module what its source says: with -fsanitize=cfi they put
// in the checks, with -fwhole-program-vtables they know more of virtual calls than any sequence of passes.
// Other passes would drop the tests, and the checks with them.
bool hasTypeTests(const llvm::Module& module);

}  // namespace ordo::ir
