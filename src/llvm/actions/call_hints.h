// Decisions about single calls: whether one is inlined. They are left at the call, where
// `[[clang::always_inline]]` and `[[clang::noinline]]` on a statement leave them, for the inliner that comes
// next.
//
// As a pass: `ordo-call<17;alwaysinline>` and `ordo-call<17;noinline>`, for the call with that number
// (llvm/ir/calls.h). PipelineRunner knows it, and so does stock opt with libordo-plugin.so.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace llvm {
class Module;
}

namespace ordo::actions {

struct CallHint {
  std::size_t call = 0;
  bool inlined = false;
};

// The hint that a pass of this name gives; nothing if it is no such pass.
std::optional<CallHint> parseCallHint(std::string_view pass);

// Gives it, in place of an earlier one. False if the module is as it was: it has no such call, or the hint
// may not be given, because somebody has said already what is to be done with the function or the call, or
// because caller and callee are compiled for different processors or under different rules, so that to
// inline is LLVM's decision alone.
bool applyCallHint(llvm::Module& module, const CallHint& hint);

}  // namespace ordo::actions
