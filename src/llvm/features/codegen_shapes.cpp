#include "llvm/features/codegen_shapes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace ordo::features {
namespace {

void countMemoryIntrinsic(const llvm::MemIntrinsic& intrinsic, ShapeCounts& counts) {
  constexpr std::uint64_t kSmall = 32;  // bytes that are moved in a few instructions
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  counts.add(llvm::isa<llvm::MemSetInst>(intrinsic) ? k_memset_small : k_memcpy_small, 1,
             length == nullptr                ? 2
             : length->getValue().ugt(kSmall) ? 1
                                              : 0);
}

void countIntrinsic(const llvm::IntrinsicInst& intrinsic, ShapeCounts& counts) {
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&intrinsic))
    return countMemoryIntrinsic(*memory, counts);
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
      return;
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      return counts.add(k_min_max);
    case llvm::Intrinsic::abs:
      return counts.add(k_absolute);
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return counts.add(k_funnel_shift);
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      return counts.add(k_scan_bits);
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::bitreverse:
      return counts.add(k_count_bits);
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::ssub_sat:
      return counts.add(k_saturating);
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::smul_with_overflow:
      return counts.add(k_overflow);
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fma:
      return counts.add(k_fused);
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::copysign:
      return counts.add(k_float_sign);
    default:
      return counts.add(k_other_intrinsic);
  }
}

Shape argumentKind(const llvm::Value* value) {
  if (llvm::isa<llvm::UndefValue>(value)) return k_arg_zero;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (constant->isNullValue()) return k_arg_zero;
    if (!llvm::isa<llvm::ConstantInt>(constant)) return k_arg_global;
    return fitsConstant(constant, 8) ? k_arg_const : k_arg_const_wide;
  }
  if (llvm::isa<llvm::AllocaInst>(value)) return k_arg_stack;
  if (value->getType()->isFloatingPointTy()) return k_arg_float;
  return llvm::isa<llvm::Argument>(value) ? k_arg_argument : k_arg_value;
}

}  // namespace

bool fitsConstant(const llvm::Value* value, unsigned bits) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant != nullptr && constant->getValue().isSignedIntN(bits);
}

void countCall(const llvm::CallBase& call, ShapeCounts& counts) {
  constexpr unsigned kInRegisters = 6;
  if (llvm::isa<llvm::InlineAsm>(call.getCalledOperand())) return counts.add(k_inline_asm);
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    return countIntrinsic(*intrinsic, counts);
  counts.add(call.getCalledFunction() != nullptr ? k_call : k_call_indirect);
  for (const llvm::Use& argument : call.args()) counts.add(argumentKind(argument.get()));
  counts.add(k_args_on_stack, call.arg_size() > kInRegisters ? call.arg_size() - kInRegisters : 0);
  counts.add(k_call_used, !call.use_empty());
  const auto* plain = llvm::dyn_cast<llvm::CallInst>(&call);
  counts.add(k_call_tail, plain != nullptr && plain->isTailCall() &&
                              llvm::isa_and_nonnull<llvm::ReturnInst>(plain->getNextNode()));
  counts.add(k_call_variadic, call.getFunctionType()->isVarArg());
  counts.add(k_invoke, llvm::isa<llvm::InvokeInst>(call));
}

}  // namespace ordo::features
