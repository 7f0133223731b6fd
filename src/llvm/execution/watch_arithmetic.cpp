// undefinedWhen() lists what is checked, by opcode; begin there. Conditions are computed from the operands,
// before the operation, and joined by "or"; of vectors any lane counts. A check must not be undefined itself:
// overflow is asked of LLVM's intrinsics that return it, and a shift or division that only serves a check
// gets a harmless operand in place of a bad one.
#include "llvm/execution/watch_arithmetic.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <cmath>

namespace ordo::execution {
namespace {

using llvm::Instruction;
using llvm::IRBuilderBase;
using llvm::Value;

class Conditions {
 public:
  explicit Conditions(IRBuilderBase& builder) : builder_(builder) {}

  void add(Value* condition) {
    if (condition->getType()->isVectorTy()) condition = builder_.CreateOrReduce(condition);
    any_ = any_ == nullptr ? condition : builder_.CreateOr(any_, condition);
  }
  Value* any() const { return any_; }

 private:
  IRBuilderBase& builder_;
  Value* any_ = nullptr;
};

void overflow(IRBuilderBase& builder, Conditions& conditions, llvm::Intrinsic::ID id, Instruction& op) {
  Value* both = builder.CreateBinaryIntrinsic(id, op.getOperand(0), op.getOperand(1));
  conditions.add(builder.CreateExtractValue(both, 1));
}

void ofShift(IRBuilderBase& builder, Conditions& conditions, Instruction& op) {
  Value *value = op.getOperand(0), *amount = op.getOperand(1);
  llvm::Type* type = op.getType();
  Value* too_far = builder.CreateICmpUGE(amount, llvm::ConstantInt::get(type, type->getScalarSizeInBits()));
  conditions.add(too_far);
  // Shifts that only serve the check must not be too far themselves.
  Value* near = builder.CreateSelect(too_far, llvm::ConstantInt::get(type, 0), amount);
  if (op.getOpcode() == Instruction::Shl) {
    Value* shifted = builder.CreateShl(value, near);
    if (op.hasNoSignedWrap()) conditions.add(builder.CreateICmpNE(builder.CreateAShr(shifted, near), value));
    if (op.hasNoUnsignedWrap())
      conditions.add(builder.CreateICmpNE(builder.CreateLShr(shifted, near), value));
  } else if (op.isExact()) {
    conditions.add(builder.CreateICmpNE(builder.CreateShl(builder.CreateLShr(value, near), near), value));
  }
}

void ofDivision(IRBuilderBase& builder, Conditions& conditions, Instruction& op) {
  Value *value = op.getOperand(0), *by = op.getOperand(1);
  llvm::Type* type = op.getType();
  Value* undefined = builder.CreateICmpEQ(by, llvm::ConstantInt::get(type, 0));
  const bool is_signed = op.getOpcode() == Instruction::SDiv || op.getOpcode() == Instruction::SRem;
  if (is_signed) {
    Value* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    Value* over = builder.CreateAnd(builder.CreateICmpEQ(value, least),
                                    builder.CreateICmpEQ(by, llvm::Constant::getAllOnesValue(type)));
    undefined = builder.CreateOr(undefined, over);
  }
  conditions.add(undefined);
  if (llvm::isa<llvm::PossiblyExactOperator>(op) && op.isExact()) {
    Value* safe = builder.CreateSelect(undefined, llvm::ConstantInt::get(type, 1), by);
    Value* rest = is_signed ? builder.CreateSRem(value, safe) : builder.CreateURem(value, safe);
    conditions.add(builder.CreateICmpNE(rest, llvm::ConstantInt::get(type, 0)));
  }
}

// Whether a conversion to an integer has no value of that type to give.
void ofFloatToInteger(IRBuilderBase& builder, Conditions& conditions, Instruction& op) {
  Value* value = op.getOperand(0);
  llvm::Type *from = value->getType(), *to = op.getType();
  const unsigned bits = to->getScalarSizeInBits();
  const bool is_signed = op.getOpcode() == Instruction::FPToSI;
  // Powers of two, so that they are exact in every type that can hold them. What lies between the least
  // integer and the one before it is rounded up to it, where the type has anything between them.
  const double end = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
  const bool has_between = static_cast<int>(bits) < from->getScalarType()->getFPMantissaWidth();
  const double least = is_signed ? -end : 0;
  Value* low = has_between ? builder.CreateFCmpOGT(value, llvm::ConstantFP::get(from, least - 1))
                           : builder.CreateFCmpOGE(value, llvm::ConstantFP::get(from, least));
  Value* high = builder.CreateFCmpOLT(value, llvm::ConstantFP::get(from, end));
  conditions.add(builder.CreateNot(builder.CreateAnd(low, high)));
}

void ofCast(IRBuilderBase& builder, Conditions& conditions, Instruction& op) {
  Value* value = op.getOperand(0);
  llvm::Type* from = value->getType();
  if (auto* trunc = llvm::dyn_cast<llvm::TruncInst>(&op)) {
    if (trunc->hasNoSignedWrap())
      conditions.add(
          builder.CreateICmpNE(builder.CreateSExt(builder.CreateTrunc(value, op.getType()), from), value));
    if (trunc->hasNoUnsignedWrap())
      conditions.add(
          builder.CreateICmpNE(builder.CreateZExt(builder.CreateTrunc(value, op.getType()), from), value));
  } else if (llvm::isa<llvm::PossiblyNonNegInst>(op) && op.hasNonNeg()) {
    conditions.add(builder.CreateICmpSLT(value, llvm::ConstantInt::get(from, 0)));
  } else if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(op)) {
    ofFloatToInteger(builder, conditions, op);
  }
}

void ofIntrinsic(IRBuilderBase& builder, Conditions& conditions, llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::assume:
      conditions.add(builder.CreateNot(call.getArgOperand(0)));
      break;
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      if (llvm::cast<llvm::Constant>(call.getArgOperand(1))->isOneValue())
        conditions.add(builder.CreateIsNull(call.getArgOperand(0)));
      break;
    case llvm::Intrinsic::abs:
      if (llvm::cast<llvm::Constant>(call.getArgOperand(1))->isOneValue()) {
        llvm::Type* type = call.getType();
        conditions.add(builder.CreateICmpEQ(
            call.getArgOperand(0),
            llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()))));
      }
      break;
    default:
      break;
  }
}

}  // namespace

Value* undefinedWhen(IRBuilderBase& builder, Instruction& op) {
  Conditions conditions(builder);
  const bool nsw = llvm::isa<llvm::OverflowingBinaryOperator>(op) && op.hasNoSignedWrap();
  const bool nuw = llvm::isa<llvm::OverflowingBinaryOperator>(op) && op.hasNoUnsignedWrap();
  switch (op.getOpcode()) {
    case Instruction::Add:
      if (nsw) overflow(builder, conditions, llvm::Intrinsic::sadd_with_overflow, op);
      if (nuw) overflow(builder, conditions, llvm::Intrinsic::uadd_with_overflow, op);
      break;
    case Instruction::Sub:
      if (nsw) overflow(builder, conditions, llvm::Intrinsic::ssub_with_overflow, op);
      if (nuw) overflow(builder, conditions, llvm::Intrinsic::usub_with_overflow, op);
      break;
    case Instruction::Mul:
      if (nsw) overflow(builder, conditions, llvm::Intrinsic::smul_with_overflow, op);
      if (nuw) overflow(builder, conditions, llvm::Intrinsic::umul_with_overflow, op);
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      ofShift(builder, conditions, op);
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      ofDivision(builder, conditions, op);
      break;
    case Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(op).isDisjoint())
        conditions.add(builder.CreateIsNotNull(builder.CreateAnd(op.getOperand(0), op.getOperand(1))));
      break;
    case Instruction::ICmp:
      if (llvm::cast<llvm::ICmpInst>(op).hasSameSign())
        conditions.add(
            builder.CreateXor(builder.CreateIsNeg(op.getOperand(0)), builder.CreateIsNeg(op.getOperand(1))));
      break;
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::UIToFP:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      ofCast(builder, conditions, op);
      break;
    case Instruction::ExtractElement:
    case Instruction::InsertElement: {
      Value* index = op.getOperand(op.getNumOperands() - 1);
      const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(op.getOperand(0)->getType());
      if (vector != nullptr && !llvm::isa<llvm::Constant>(index))
        conditions.add(
            builder.CreateICmpUGE(index, llvm::ConstantInt::get(index->getType(), vector->getNumElements())));
      break;
    }
    case Instruction::Call:
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&op))
        ofIntrinsic(builder, conditions, *intrinsic);
      break;
    default:
      break;
  }
  return conditions.any();
}

bool hasLooseArithmetic(const Instruction& instruction) {
  const auto* op = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
  return op != nullptr && op->getFastMathFlags().any();
}

}  // namespace ordo::execution
