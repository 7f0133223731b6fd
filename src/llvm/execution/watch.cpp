// Watcher::watch() lists the instructions of a function before it changes any, so that nothing which it
// inserts is watched in turn, and puts calls of callbacks (callbacks.h) beside them. Allocas become calls, so
// that locals lie in Memory and have states. Loads say what kind of value they read and in what range,
// because that is how inputs are made. When operations are undefined is in watch_arithmetic.h; what is not
// modelled becomes a call that ends the run. Blocks are numbered through the whole module, and each reports
// that it was entered.
#include "llvm/execution/watch.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "llvm/execution/memory.h"
#include "llvm/execution/watch_arithmetic.h"

namespace ordo::execution {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

class Watcher {
 public:
  explicit Watcher(llvm::Module& module)
      : module_(module), layout_(module.getDataLayout()), context_(module.getContext()) {}

  // The blocks are numbered from `first_block` on.
  void watch(llvm::Function& function, std::size_t first_block);

 private:
  llvm::IntegerType* i64() { return llvm::Type::getInt64Ty(context_); }
  llvm::IntegerType* i32() { return llvm::Type::getInt32Ty(context_); }
  llvm::PointerType* pointer() { return llvm::PointerType::get(context_, 0); }
  Value* number(std::uint64_t value) { return llvm::ConstantInt::get(i64(), value); }

  // A call of the callback `name`; its arguments say its type.
  Value* call(IRBuilder<>& builder, const char* name, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    return builder.CreateCall(
        module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)), arguments);
  }
  void call(IRBuilder<>& builder, const char* name, llvm::ArrayRef<Value*> arguments) {
    call(builder, name, llvm::Type::getVoidTy(context_), arguments);
  }
  void giveUp(IRBuilder<>& builder, const char* why) {
    call(builder, "ordo_give_up", {builder.CreateGlobalString(why, "ordo.why", 0, &module_)});
  }
  void giveUpIf(IRBuilder<>& builder, Value* condition, const char* why) {
    call(builder, "ordo_give_up_if",
         {builder.CreateZExt(condition, i32()), builder.CreateGlobalString(why, "ordo.why", 0, &module_)});
  }

  void parameters(IRBuilder<>& builder, llvm::Function& function);
  void range(IRBuilder<>& builder, Value* value, const llvm::ConstantRange& range);
  void load(IRBuilder<>& builder, llvm::LoadInst& load);
  void store(IRBuilder<>& builder, Value* address, Value* value, llvm::Align align);
  void returns(IRBuilder<>& builder, llvm::ReturnInst& instruction);
  void element(llvm::GetElementPtrInst& element);
  void calls(IRBuilder<>& builder, llvm::CallBase& call);
  void intrinsic(IRBuilder<>& builder, llvm::IntrinsicInst& call);
  void local(llvm::AllocaInst& alloca);

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::LLVMContext& context_;
};

Kind kindOf(const llvm::Type* type) {
  const llvm::Type* scalar = type->getScalarType();
  return scalar->isPointerTy() ? Kind::kPointer : scalar->isFloatingPointTy() ? Kind::kFloat : Kind::kInteger;
}

void Watcher::range(IRBuilder<>& builder, Value* value, const llvm::ConstantRange& range) {
  llvm::Type* type = value->getType();
  if (!type->isIntegerTy() || range.isFullSet()) return;
  // One comparison also for ranges that wrap.
  Value* above = builder.CreateSub(value, llvm::ConstantInt::get(type, range.getLower()));
  giveUpIf(builder,
           builder.CreateICmpUGE(above, llvm::ConstantInt::get(type, range.getUpper() - range.getLower())),
           "breaks a promise about a value");
}

void Watcher::parameters(IRBuilder<>& builder, llvm::Function& function) {
  for (llvm::Argument& argument : function.args()) {
    if (argument.hasByValAttr()) {
      // The copy is the callee's local.
      const std::uint64_t size = layout_.getTypeAllocSize(argument.getParamByValType());
      Value* copy = call(builder, "ordo_local", pointer(),
                         {number(size), number(argument.getParamAlign().valueOrOne().value())});
      argument.replaceUsesWithIf(copy, [&](const llvm::Use& use) { return use.getUser() != copy; });
      builder.CreateMemCpy(copy, llvm::MaybeAlign(), &argument, llvm::MaybeAlign(), size);
      call(builder, "ordo_store", {copy, number(size), number(1), number(1)});
      continue;
    }
    if (argument.getType()->isPointerTy()) {
      if (argument.hasNonNullAttr())
        giveUpIf(builder, builder.CreateIsNull(&argument), "breaks a promise about a pointer");
      const std::uint64_t bytes = argument.getDereferenceableBytes();
      if (bytes > 0) call(builder, "ordo_object", {&argument, number(bytes)});
      if (const llvm::MaybeAlign align = argument.getParamAlign())
        call(builder, "ordo_aligned", {&argument, number(align->value())});
    }
    if (const auto range = argument.getRange()) this->range(builder, &argument, *range);
  }
}

void Watcher::load(IRBuilder<>& builder, llvm::LoadInst& load) {
  llvm::Type* type = load.getType();
  std::int64_t low = 0, high = 0;
  const llvm::MDNode* ranges = load.getMetadata(llvm::LLVMContext::MD_range);
  if (ranges != nullptr && type->getScalarSizeInBits() <= 64) {
    const llvm::ConstantRange range = llvm::getConstantRangeFromMetadata(*ranges);
    low = range.getSignedMin().getSExtValue();
    high = range.getSignedMax().getSExtValue();
  } else if (type->isIntegerTy(1)) {
    high = 1;
  }
  call(builder, "ordo_load",
       {load.getPointerOperand(), number(layout_.getTypeStoreSize(type)), number(load.getAlign().value()),
        number(static_cast<std::uint64_t>(kindOf(type))), number(static_cast<std::uint64_t>(low)),
        number(static_cast<std::uint64_t>(high))});
  IRBuilder<> after(load.getNextNode());
  if (ranges != nullptr) range(after, &load, llvm::getConstantRangeFromMetadata(*ranges));
  if (load.hasMetadata(llvm::LLVMContext::MD_nonnull))
    giveUpIf(after, after.CreateIsNull(&load), "breaks a promise about a pointer");
}

void Watcher::store(IRBuilder<>& builder, Value* address, Value* value, llvm::Align align) {
  call(builder, "ordo_store",
       {address, number(layout_.getTypeStoreSize(value->getType())), number(align.value()),
        number(llvm::isa<llvm::UndefValue>(value) ? 0 : 1)});
}

void Watcher::returns(IRBuilder<>& builder, llvm::ReturnInst& instruction) {
  Value* value = instruction.getReturnValue();
  const llvm::Function& function = *instruction.getFunction();
  if (value != nullptr && llvm::isa<llvm::UndefValue>(value))
    giveUp(builder, "returns nothing in particular");
  if (value != nullptr && function.hasRetAttribute(llvm::Attribute::NonNull) &&
      value->getType()->isPointerTy())
    giveUpIf(builder, builder.CreateIsNull(value), "breaks a promise about a pointer");
  if (const llvm::Attribute promised = function.getRetAttribute(llvm::Attribute::Range);
      value != nullptr && promised.isValid())
    range(builder, value, promised.getRange());
}

void Watcher::element(llvm::GetElementPtrInst& element) {
  if (!element.isInBounds() || element.getType()->isVectorTy() || element.hasAllZeroIndices()) return;
  IRBuilder<> after(element.getNextNode());
  call(after, "ordo_element",
       {element.getPointerOperand(), &element, number(element.hasNoUnsignedWrap() ? 1 : 0)});
}

void Watcher::intrinsic(IRBuilder<>& builder, llvm::IntrinsicInst& intrinsic) {
  if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
    Value* size = builder.CreateZExtOrTrunc(transfer->getLength(), i64());
    call(builder, "ordo_copy",
         {transfer->getRawDest(), transfer->getRawSource(), size,
          number(llvm::isa<llvm::MemMoveInst>(transfer) ? 1 : 0)});
    return;
  }
  if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&intrinsic)) {
    call(builder, "ordo_store",
         {set->getRawDest(), builder.CreateZExtOrTrunc(set->getLength(), i64()), number(1), number(1)});
    return;
  }
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
      call(builder, "ordo_scope",
           {intrinsic.getArgOperand(0),
            number(intrinsic.getIntrinsicID() == llvm::Intrinsic::lifetime_start ? 1 : 0)});
      intrinsic.eraseFromParent();  // it was about an alloca that is none any more
      return;
    case llvm::Intrinsic::vastart:
      call(builder, "ordo_store", {intrinsic.getArgOperand(0), number(24), number(1), number(1)});
      return;
    case llvm::Intrinsic::vacopy:
      call(builder, "ordo_copy",
           {intrinsic.getArgOperand(0), intrinsic.getArgOperand(1), number(24), number(1)});
      return;
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::objectsize:
      giveUp(builder, "asks what the optimiser knows");
      return;
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::frameaddress:
      giveUp(builder, "asks for addresses of code");
      return;
    default:
      break;
  }
  if (intrinsic.mayReadOrWriteMemory() && !intrinsic.isAssumeLikeIntrinsic() &&
      !intrinsic.onlyAccessesInaccessibleMemory() &&
      intrinsic.getIntrinsicID() != llvm::Intrinsic::stacksave &&
      intrinsic.getIntrinsicID() != llvm::Intrinsic::stackrestore &&
      intrinsic.getIntrinsicID() != llvm::Intrinsic::vaend &&
      intrinsic.getIntrinsicID() != llvm::Intrinsic::trap)
    giveUp(builder, "uses memory in a way that is not modelled");
}

void Watcher::calls(IRBuilder<>& builder, llvm::CallBase& call) {
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return this->intrinsic(builder, *intrinsic);
  if (call.isInlineAsm()) return giveUp(builder, "has inline assembly");
  if (call.hasFnAttr(llvm::Attribute::ReturnsTwice)) return giveUp(builder, "calls setjmp()");
  if (call.isMustTailCall()) return giveUp(builder, "has a tail call that must be one");
  if (llvm::isa<llvm::CallInst>(call)) {
    IRBuilder<> after(call.getNextNode());
    if (call.hasRetAttr(llvm::Attribute::NonNull) && call.getType()->isPointerTy())
      giveUpIf(after, after.CreateIsNull(&call), "breaks a promise about a pointer");
    if (const auto promised = call.getRange()) range(after, &call, *promised);
  }
  if (call.isIndirectCall()) this->call(builder, "ordo_callee", {call.getCalledOperand()});
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.isByValArgument(i)) {
      this->call(builder, "ordo_load",
                 {call.getArgOperand(i), number(layout_.getTypeAllocSize(call.getParamByValType(i))),
                  number(1), number(static_cast<std::uint64_t>(Kind::kInteger)), number(0), number(0)});
    }
  }
}

void Watcher::local(llvm::AllocaInst& alloca) {
  IRBuilder<> builder(&alloca);
  Value* size = builder.CreateMul(builder.CreateZExtOrTrunc(alloca.getArraySize(), i64()),
                                  number(layout_.getTypeAllocSize(alloca.getAllocatedType())));
  Value* place = call(builder, "ordo_local", pointer(), {size, number(alloca.getAlign().value())});
  alloca.replaceAllUsesWith(place);
  alloca.eraseFromParent();
}

void Watcher::watch(llvm::Function& function, std::size_t first_block) {
  std::vector<Instruction*> instructions;
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock& block : function) blocks.push_back(&block);
  for (Instruction& instruction : llvm::instructions(function)) instructions.push_back(&instruction);

  IRBuilder<> entry(&*function.getEntryBlock().begin());
  Value* frame = call(entry, "ordo_enter", i64(), {});
  parameters(entry, function);

  for (Instruction* instruction : instructions) {
    IRBuilder<> builder(instruction);
    if (llvm::isa<llvm::PHINode>(instruction) || instruction->isEHPad()) continue;
    if (hasLooseArithmetic(*instruction)) giveUp(builder, "has arithmetic that may be reordered");
    if (Value* undefined = undefinedWhen(builder, *instruction))
      giveUpIf(builder, undefined, "computes what is undefined");
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      this->load(builder, *load);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
      this->store(builder, store->getPointerOperand(), store->getValueOperand(), store->getAlign());
    } else if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::FenceInst, llvm::VAArgInst>(
                   instruction)) {
      giveUp(builder, "uses memory in a way that is not modelled");
    } else if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      this->element(*element);
    } else if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(instruction)) {
      local(*alloca);
    } else if (auto* returned = llvm::dyn_cast<llvm::ReturnInst>(instruction)) {
      returns(builder, *returned);
      call(builder, "ordo_leave", {frame});
    } else if (llvm::isa<llvm::UnreachableInst>(instruction)) {
      giveUp(builder, "reaches what is unreachable");
    } else if (auto* branch = llvm::dyn_cast<llvm::CallBase>(instruction)) {
      calls(builder, *branch);
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    // Behind the entry's own calls, and never before what must be first in a block.
    const auto place =
        i == 0 ? std::next(llvm::cast<Instruction>(frame)->getIterator()) : blocks[i]->getFirstInsertionPt();
    if (place == blocks[i]->end()) continue;
    IRBuilder<> builder(blocks[i], place);
    call(builder, "ordo_block", {number(first_block + i)});
  }
}

}  // namespace

std::vector<WatchedFunction> watch(llvm::Module& module) {
  std::vector<WatchedFunction> watched;
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) functions.push_back(&function);
  }
  std::size_t block = 0;
  Watcher watcher(module);
  for (llvm::Function* function : functions) {
    watched.push_back({function->getName().str(), block, function->size()});
    watcher.watch(*function, block);
    block += watched.back().blocks;
  }
  return watched;
}

}  // namespace ordo::execution
