// Attribute actions: "+minsize", "-minsize", "+optsize", "-optsize" on every function, as
// `opt -passes=forceattrs -force-attribute=minsize` and `-force-remove-attribute=minsize` do.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "support/error.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace ordo::actions {

// Applies `text` ("+name" or "-name") to every function of the module, declarations included
// (that is what forceattrs does, and a recipe must replay with stock opt). The value says whether
// anything changed. kInvalidArgument if the text is not of that form or the name is unknown.
Result<bool> applyAttribute(llvm::Module& module, std::string_view text);

// The same for those functions alone that are `chosen`.
using Chosen = std::function<bool(const llvm::Function&)>;
Result<bool> applyAttribute(llvm::Module& module, std::string_view text, const Chosen& chosen);

}  // namespace ordo::actions
