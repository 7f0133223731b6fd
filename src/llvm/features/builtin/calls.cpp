// calls: the direct calls of functions that have a body, each in the row of its number (llvm/ir/calls.h), by
// which decisions about it name it: int64 [calls, 5]. How often it is run, or -1 where no profile says so;
// how deep it is in loops; how many instructions what it calls has, how many of these calls there are of
// that, and who else may call it: anybody (0), other modules that have it as well (1), nobody outside (2).
#include "llvm/ir/calls.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <limits>
#include <map>

#include "llvm/features/feature.h"

namespace ordo::features {
namespace {

constexpr std::string_view kNames[] = {"count", "depth", "callee_instructions", "callee_calls",
                                       "callee_linkage"};
constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t instructionsOf(const llvm::Function& function) {
  std::int64_t sum = 0;
  for (const llvm::BasicBlock& block : function) sum += static_cast<std::int64_t>(block.sizeWithoutDebug());
  return sum;
}

std::int64_t linkageOf(const llvm::Function& function) {
  if (function.hasLocalLinkage()) return 2;
  return function.hasLinkOnceLinkage() ? 1 : 0;
}

struct Callee {
  std::int64_t instructions = 0, calls = 0;
};

void extract(const llvm::Module& module, std::string& out) {
  std::map<const llvm::Function*, Callee> callees;
  // LLVM looks at loops only in what it may change.
  auto& program = const_cast<llvm::Module&>(module);
  ir::visitCalls(program, /*with_heat=*/false, [&](const ir::CallSite& site) {
    ++callees[site.call->getCalledFunction()].calls;
    return true;
  });
  for (auto& [function, callee] : callees) callee.instructions = instructionsOf(*function);
  ir::visitCalls(program, /*with_heat=*/true, [&](const ir::CallSite& site) {
    const llvm::Function* function = site.call->getCalledFunction();
    const Callee& callee = callees.at(function);
    const std::int64_t count = site.count ? static_cast<std::int64_t>(std::min(*site.count, kMost)) : -1;
    const std::int64_t row[std::size(kNames)] = {count, site.depth, callee.instructions, callee.calls,
                                                 linkageOf(*function)};
    out.append(reinterpret_cast<const char*>(row), sizeof(row));
    return true;
  });
}

}  // namespace

extern constinit const FeatureInfo calls{
    .name = "calls",
    .version = 2,
    .dtype = DType::kInt64,
    .width = 0,
    .columns = std::size(kNames),
    .summary =
        "each direct call of the program's functions: how often it runs, its depth in loops, what it calls, "
        "and who else calls that",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
