// The textbook's backward data flow (A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, Compilers, 2nd edition,
// section 9.2.5) over sets of bits, in post-order until nothing changes. A phi uses its values at the ends of
// the blocks that they come from.
#include "llvm/features/liveness.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace ordo::features {
namespace {

constexpr std::size_t kMostBits = std::size_t{1} << 27;

class Values {
 public:
  explicit Values(const llvm::Function& function) {
    for (const llvm::Argument& argument : function.args()) add(argument);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) continue;
      const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (address == nullptr || !foldsIntoUses(*address)) add(instruction);
    }
  }

  std::size_t size() const { return places_.size(); }

  void define(llvm::BitVector& alive, const llvm::Value& value) const {
    if (const auto place = places_.find(&value); place != places_.end()) alive.reset(place->second);
  }

  // The value, or what its address is computed of here.
  void use(llvm::BitVector& alive, const llvm::Value* value) const {
    if (const auto place = places_.find(value); place != places_.end()) {
      alive.set(place->second);
    } else if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(value)) {
      for (const llvm::Use& operand : address->operands())
        if (const auto of = places_.find(operand.get()); of != places_.end()) alive.set(of->second);
    }
  }

 private:
  void add(const llvm::Value& value) {
    if (!value.use_empty()) places_.insert({&value, static_cast<unsigned>(places_.size())});
  }

  llvm::DenseMap<const llvm::Value*, unsigned> places_;
};

// Whether what is alive behind it has to be kept somewhere that the callee leaves alone.
bool calls(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CallBase>(instruction) &&
         (!llvm::isa<llvm::IntrinsicInst>(instruction) || llvm::isa<llvm::MemIntrinsic>(instruction));
}

// From what is alive at the end of a block to what is at its beginning. `seen`, if given, hears of the most
// on the way.
void walk(const llvm::BasicBlock& block, const Values& values, llvm::BitVector& alive, Liveness* seen) {
  for (const llvm::Instruction& instruction : llvm::reverse(block)) {
    values.define(alive, instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    if (seen != nullptr && calls(instruction))
      seen->across_calls = std::max<std::int64_t>(seen->across_calls, alive.count());
    if (instruction.isLifetimeStartOrEnd() || instruction.isDebugOrPseudoInst()) continue;
    for (const llvm::Use& operand : instruction.operands()) values.use(alive, operand.get());
    if (seen != nullptr) seen->at_once = std::max<std::int64_t>(seen->at_once, alive.count());
  }
}

}  // namespace

bool foldsIntoUses(const llvm::GetElementPtrInst& address) {
  return std::ranges::all_of(address.users(), [&](const llvm::User* user) {
    const auto& instruction = *llvm::cast<llvm::Instruction>(user);
    if (instruction.getParent() != address.getParent()) return false;
    if (llvm::isa<llvm::LoadInst>(instruction)) return true;
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store != nullptr && store->getValueOperand() != &address;
  });
}

Liveness livenessOf(const llvm::Function& function) {
  Liveness result;
  if (function.isDeclaration()) return result;
  const Values values(function);
  const auto width = static_cast<unsigned>(values.size());
  const llvm::SmallVector<const llvm::BasicBlock*> order(llvm::post_order(&function.getEntryBlock()));
  if (values.size() * order.size() > kMostBits) return result;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> at_start;
  for (const llvm::BasicBlock* block : order) at_start[block].resize(width);
  const auto atEnd = [&](const llvm::BasicBlock& block) {
    llvm::BitVector alive(width);
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      alive |= at_start.find(next)->second;
      for (const llvm::PHINode& phi : next->phis()) values.use(alive, phi.getIncomingValueForBlock(&block));
    }
    return alive;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order) {
      llvm::BitVector alive = atEnd(*block);
      walk(*block, values, alive, nullptr);
      llvm::BitVector& known = at_start.find(block)->second;
      if (alive == known) continue;
      known = std::move(alive);
      changed = true;
    }
  }
  for (const llvm::BasicBlock* block : order) {
    llvm::BitVector alive = atEnd(*block);
    result.across_blocks += alive.count();
    walk(*block, values, alive, &result);
  }
  return result;
}

}  // namespace ordo::features
