#include "llvm/ir/spoken.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>

namespace ordo::ir {
namespace {

// What a loop may have without anybody's asking for something to be done with it.
constexpr auto kUnasked = std::to_array<llvm::StringRef>(
    {"llvm.loop.mustprogress", "llvm.loop.unroll.disable", "llvm.loop.unroll.runtime.disable",
     "llvm.loop.unroll_and_jam.disable", "llvm.loop.isvectorized", "llvm.loop.peeled.count",
     "llvm.loop.estimated_trip_count", "llvm.loop.disable_nonforced", "llvm.loop.licm_versioning.disable"});

// Whether a property of a loop, !{!"llvm.loop.vectorize.enable", i1 true}, asks for something.
bool isAsked(const llvm::MDNode& property) {
  const auto* const name = property.getNumOperands() == 0
                               ? nullptr
                               : llvm::dyn_cast_if_present<llvm::MDString>(property.getOperand(0));
  if (name == nullptr || std::ranges::find(kUnasked, name->getString()) != kUnasked.end()) return false;
  if (!name->getString().ends_with(".enable") || property.getNumOperands() < 2) return true;
  const auto* const value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(property.getOperand(1));
  return value == nullptr || !value->isZero();
}

// The loop's own node, the locations of its source, and properties.
bool hasWish(const llvm::MDNode& loop) {
  return std::ranges::any_of(loop.operands(), [&](const llvm::MDOperand& operand) {
    const auto* const property = llvm::dyn_cast_if_present<llvm::MDNode>(operand.get());
    return property != nullptr && property != &loop && isAsked(*property);
  });
}

}  // namespace

std::string mayBeSpokenOf(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    const std::string name = function.getName().str();
    if (function.hasFnAttribute("warn-stack-size"))
      return "there is a limit on frames of the stack (-Wframe-larger-than)";
    if (function.hasFnAttribute("dontcall-warn") || function.hasFnAttribute("dontcall-error"))
      return "calls of " + name + " are reported if they remain";
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!instruction.isTerminator()) continue;
      const llvm::MDNode* const loop = instruction.getMetadata(llvm::LLVMContext::MD_loop);
      if (loop != nullptr && hasWish(*loop)) return "a pragma asks for something of a loop in " + name;
    }
  }
  return "";
}

}  // namespace ordo::ir
