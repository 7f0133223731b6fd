// Where a kernel keeps what it computes on the way. Memory that is asked for at each call comes from the
// kernel of the operating system page by page, which took up to nine tenths of a call's time. So it stays:
// a few places, each of which serves one buffer after another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
}
namespace mlir {
class ModuleOp;
}

namespace ordo::lowering {

// Buffers of a known size, of elements that are known (element.h), that are given back in the block that
// asked for them get a place, as long as that is `most` bytes together; others are asked for as before.
// Places are globals of the module, so that LLVM sees that none overlaps another. With `threads`, loops that
// are dealt out run on several. REQUIRES: the context's mutex is held. Returns the bytes.
std::int64_t useScratch(mlir::ModuleOp module, std::int64_t most, bool threads = false);

// Each thread gets its own: two may be in the kernel at once.
void makeThreadLocal(llvm::Module& module);

// A place, for who wants to write to it.
struct ScratchPlace {
  std::string name;
  std::size_t bytes = 0;
};
// Leaves the places to who runs the module: what it links with has to define them, in multiples of 64 bytes
// and beginning at one.
std::vector<ScratchPlace> exposeScratch(llvm::Module& module);

}  // namespace ordo::lowering
