// The calls of a module that could be inlined and their numbers, by which decisions and observations name
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace llvm {
class CallBase;
class Module;
}  // namespace llvm

namespace ordo::ir {

// What there is to know about a call.
struct CallSite {
  std::size_t number = 0;
  llvm::CallBase* call = nullptr;
  unsigned depth = 0;                  // of loops around it
  std::optional<std::uint64_t> count;  // how often it is run, if the module has a profile
};

// Calls `visit` with each direct call of a function that has a body, in the order of the module, from number
// 0, until it returns false. What is said of a call does not change the numbers, so a number means the same
// call in equal modules with and without decisions, and in no others. Depths and counts are only found if
// wanted. Analyses are made for it and are gone afterwards: no pass sees them. `visit` may change attributes
// of calls only.
void visitCalls(llvm::Module& module, bool with_heat, const std::function<bool(const CallSite&)>& visit);

}  // namespace ordo::ir
