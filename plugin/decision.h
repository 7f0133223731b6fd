// What the plugin is told to do with a module, by whoever has something to say: the drop-in compiler over
// its socket, recipes in ORDO_RECIPE, or a lock file in ORDO_LOCK.
#pragma once

#include <string>
#include <variant>

#include "recipe/order.h"
#include "support/error.h"

namespace llvm {
class Module;
}

namespace ordo::plugin {

struct Leave {};         // to the compiler's own pipeline
struct FinishedObject {  // the code of this very module
  std::string bytes;
};
struct Rival {  // to leave it, and to carry this out beside (plugin/rival.h)
  recipe::Order order;
};
using Decision = std::variant<Leave, recipe::Order, FinishedObject, Rival>;

// Tells the drop-in compiler, if there is one, that it is listened to.
void sayHello();

// `alone`: no other module goes through this process, which is that of a compiler and not of a link. Fails
// for a recipe or a lock file that cannot be read, and for a module that a lock file does not have.
Result<Decision> decide(llvm::Module& module, bool alone);

// Tells the drop-in compiler that an order went wrong, or that the compiler has reported something. Nothing
// if there is none.
void sayFailed(std::string_view reason);
void saySaid();
// Whether there is a drop-in compiler to tell.
bool isListenedTo();

}  // namespace ordo::plugin
