// loops: the innermost loops, each in the row of its number (llvm/ir/loops.h), by which decisions about it
// name it: int64 [loops, 3]. How deep it is in other loops, from 1, and what it consists of.
#include "llvm/ir/loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {"depth", "blocks", "instructions"};

void extract(const llvm::Module& module, std::string& out) {
  // LLVM looks at loops only in what it may change.
  ir::visitInnermostLoops(const_cast<llvm::Module&>(module), [&](std::size_t, llvm::Loop& loop) {
    std::int64_t row[std::size(kNames)] = {loop.getLoopDepth(), loop.getNumBlocks(), 0};
    for (const llvm::BasicBlock* block : loop.blocks())
      row[2] += static_cast<std::int64_t>(block->sizeWithoutDebug());
    out.append(reinterpret_cast<const char*>(row), sizeof(row));
    return true;
  });
}

}  // namespace

extern constinit const FeatureInfo loops{
    .name = "loops",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 0,
    .columns = std::size(kNames),
    .summary = "each innermost loop: its depth, blocks and instructions",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
