// calls: the direct calls of functions that have a body, each in the row of its number (llvm/ir/calls.h), by
// which decisions about it name it: int64 [calls, 3]. How often it is run, or -1 where no profile says so,
// how deep it is in loops, and how many instructions what it calls has.
#include "llvm/ir/calls.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <limits>
#include <map>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {"count", "depth", "callee_instructions"};
constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t instructionsOf(const llvm::Function& function) {
  std::int64_t sum = 0;
  for (const llvm::BasicBlock& block : function) sum += static_cast<std::int64_t>(block.sizeWithoutDebug());
  return sum;
}

void extract(const llvm::Module& module, std::string& out) {
  std::map<const llvm::Function*, std::int64_t> instructions;
  // LLVM looks at loops only in what it may change.
  ir::visitCalls(const_cast<llvm::Module&>(module), /*with_heat=*/true, [&](const ir::CallSite& site) {
    const llvm::Function* callee = site.call->getCalledFunction();
    const auto [known, is_new] = instructions.try_emplace(callee);
    if (is_new) known->second = instructionsOf(*callee);
    const std::int64_t count = site.count ? static_cast<std::int64_t>(std::min(*site.count, kMost)) : -1;
    const std::int64_t row[std::size(kNames)] = {count, site.depth, known->second};
    out.append(reinterpret_cast<const char*>(row), sizeof(row));
    return true;
  });
}

}  // namespace

extern constinit const FeatureInfo calls{
    .name = "calls",
    .version = 1,
    .dtype = DType::kInt64,
    .width = 0,
    .columns = std::size(kNames),
    .summary =
        "each direct call of the program's functions: how often it runs, its depth in loops, what it calls",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
