// Does to a module what an order says.
#pragma once

#include "recipe/order.h"
#include "support/error.h"

namespace llvm {
class Module;
}

namespace ordo::plugin {

// Applies the actions in place and verifies the result. Choices of the code generator are set for the rest of
// the process, so `alone` has to say that it makes code of no other module; else they are kUnsupported. After
// an error the module is in some state between: nobody may make code of it.
Status carryOut(llvm::Module& module, const recipe::Order& order, bool alone);

}  // namespace ordo::plugin
