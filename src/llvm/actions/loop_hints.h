// Decisions about single loops: how wide one is vectorised, how many iterations are interleaved, how often it
// is unrolled. They are left in the loop's metadata, where `#pragma clang loop` leaves them, for the passes
// that come next.
//
// As a pass: `ordo-loop<17;width=8;interleave=2>`, for the innermost loop with that number (llvm/ir/loops.h).
// PipelineRunner knows it, and so does stock opt with libordo-plugin.so.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace llvm {
class Loop;
class Module;
}  // namespace llvm

namespace ordo::actions {

struct LoopHint {
  std::size_t loop = 0;
  // Powers of two, at most 64, 16 and 64. 1 is "not at all"; what is absent is left to the compiler.
  std::optional<unsigned> width, interleave, unroll;
};

// The hint that a pass of this name gives; nothing if it is no such pass, or says nothing that LLVM could do.
std::optional<LoopHint> parseLoopHint(std::string_view pass);

// Whether to widen the loop would change the order of floating-point operations without leave.
bool isOrdered(llvm::Loop& loop);

// Leaves the hint, whatever its number, in this loop's metadata, in place of what was said of the same there.
// REQUIRES: no width above 1 for a loop that isOrdered().
void giveHint(llvm::Loop& loop, const LoopHint& hint);

// Gives it. False if the module is as it was: it has no such loop, or the hint may not be given. LLVM takes a
// width for leave to add floating-point numbers in another order, which `#pragma clang loop` documents and
// nobody has given us: a loop that carries one from iteration to iteration gets a width above 1 only if its
// own flags allow that.
bool applyLoopHint(llvm::Module& module, const LoopHint& hint);

}  // namespace ordo::actions
