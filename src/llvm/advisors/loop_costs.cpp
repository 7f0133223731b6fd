#include "llvm/advisors/loop_costs.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "notation/decisions.h"

namespace ordo::advisors {
namespace {

using llvm::TargetTransformInfo;
constexpr auto kKind = TargetTransformInfo::TCK_RecipThroughput;
constexpr double kTypicalTrips = 200;
constexpr double kUnknown = 4;        // of what the target has no number for
constexpr std::uint64_t kMany = 256;  // numbers of iterations that are looked at one by one

class Costs {
 public:
  Costs(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const TargetTransformInfo& target,
        unsigned width)
      : loop_(loop), evolution_(evolution), target_(target), width_(width) {}

  double sum() {
    double sum = 1;  // the loop's own counting
    for (llvm::BasicBlock* block : loop_.blocks()) {
      const bool conditional = block != loop_.getHeader() && block != loop_.getLoopLatch();
      for (llvm::Instruction& instruction : *block) sum += of(instruction, conditional);
    }
    return sum / width_;
  }

 private:
  llvm::Type* wide(llvm::Type* type) const {
    return width_ == 1 ? type : static_cast<llvm::Type*>(llvm::FixedVectorType::get(type, width_));
  }
  static double number(const llvm::InstructionCost& cost) {
    return cost.isValid() ? static_cast<double>(cost.getValue()) : kUnknown;
  }

  double of(llvm::Instruction& instruction, bool conditional) {
    llvm::Type* const type = instruction.getType();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return ofAccess(instruction, load->getType(), *load->getPointerOperand(), load->getAlign(),
                      conditional);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return ofAccess(instruction, store->getValueOperand()->getType(), *store->getPointerOperand(),
                      store->getAlign(), conditional);
    if (llvm::isa<llvm::GetElementPtrInst>(instruction) || instruction.isTerminator()) return 0;
    if (llvm::isa<llvm::PHINode>(instruction)) {
      if (instruction.getParent() == loop_.getHeader()) return 0;
      llvm::Type* const bit = wide(llvm::Type::getInt1Ty(type->getContext()));
      return number(target_.getCmpSelInstrCost(llvm::Instruction::Select, wide(type), bit,
                                               llvm::CmpInst::BAD_ICMP_PREDICATE, kKind));
    }
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      if (intrinsic->isAssumeLikeIntrinsic()) return 0;
      llvm::SmallVector<llvm::Type*, 4> types;
      for (const llvm::Value* argument : intrinsic->args()) {
        llvm::Type* const one = argument->getType();
        types.push_back(one->isIntegerTy(1) ? one : wide(one));
      }
      return number(target_.getIntrinsicInstrCost(
          llvm::IntrinsicCostAttributes(intrinsic->getIntrinsicID(), wide(type), types), kKind));
    }
    if (isIndex(loop_, evolution_, instruction)) return 0;
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
      return number(target_.getCastInstrCost(cast->getOpcode(), wide(type), wide(cast->getSrcTy()),
                                             TargetTransformInfo::CastContextHint::Normal, kKind));
    if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      llvm::Type* const operand = compare->getOperand(0)->getType();
      return number(target_.getCmpSelInstrCost(compare->getOpcode(), wide(operand), wide(type),
                                               compare->getPredicate(), kKind));
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      return number(target_.getCmpSelInstrCost(llvm::Instruction::Select, wide(type),
                                               wide(select->getCondition()->getType()),
                                               llvm::CmpInst::BAD_ICMP_PREDICATE, kKind));
    if (instruction.isBinaryOp() || instruction.isUnaryOp()) {
      const unsigned last = instruction.getNumOperands() - 1;
      return number(
          target_.getArithmeticInstrCost(instruction.getOpcode(), wide(type), kKind,
                                         TargetTransformInfo::getOperandInfo(instruction.getOperand(0)),
                                         TargetTransformInfo::getOperandInfo(instruction.getOperand(last))));
    }
    return 1;
  }

  double ofAccess(const llvm::Instruction& access, llvm::Type* type, llvm::Value& pointer, llvm::Align align,
                  bool conditional) {
    const unsigned opcode = access.getOpcode();
    const double one = number(target_.getMemoryOpCost(opcode, type, align, 0, kKind));
    if (width_ == 1) return one + (conditional ? 1 : 0);
    // An element at a time, in and out of vectors.
    const double apart = width_ * (one + 1);
    if (conditional) {
      const bool is_masked = opcode == llvm::Instruction::Load
                                 ? target_.isLegalMaskedLoad(wide(type), align, 0)
                                 : target_.isLegalMaskedStore(wide(type), align, 0);
      if (!is_masked) return apart + width_ * 2;
    }
    const double whole = number(target_.getMemoryOpCost(opcode, wide(type), align, 0, kKind));
    const auto bits = static_cast<unsigned>(type->isPointerTy() ? 64 : type->getScalarSizeInBits());
    const Step step = stepOf(loop_, evolution_, pointer, bits);
    switch (step.kind) {
      case Step::Kind::kNext:
        return whole;
      case Step::Kind::kReversed:
        return 2 * whole;
      case Step::Kind::kFixed:
        return one + 1;
      case Step::Kind::kStrided:
        if (step.elements <= 4) {
          const auto factor = static_cast<unsigned>(step.elements);
          return number(target_.getInterleavedMemoryOpCost(
              opcode, llvm::FixedVectorType::get(type, width_ * factor), factor, {0}, align, 0, kKind));
        }
        return apart;
      case Step::Kind::kScattered:
        return apart;
    }
    return apart;
  }

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const TargetTransformInfo& target_;
  unsigned width_;
};

}  // namespace

Step stepOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::Value& pointer, unsigned bits) {
  const llvm::SCEV* const address = evolution.getSCEV(&pointer);
  if (evolution.isLoopInvariant(address, &loop)) return {Step::Kind::kFixed, 0};
  const auto* const recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
  const auto* const step = recurrence != nullptr && recurrence->isAffine() && recurrence->getLoop() == &loop
                               ? llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution))
                               : nullptr;
  if (step == nullptr || step->getAPInt().getSignificantBits() > 32) return {Step::Kind::kScattered, 0};
  const std::int64_t bytes = step->getAPInt().getSExtValue(), size = std::max(bits / 8, 1u);
  if (bytes == size) return {Step::Kind::kNext, 1};
  if (bytes == -size) return {Step::Kind::kReversed, 1};
  return {Step::Kind::kStrided,
          static_cast<std::uint64_t>(std::max<std::int64_t>(std::abs(bytes) / size, 1))};
}

bool isIndex(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, llvm::Value& value) {
  if (!evolution.isSCEVable(value.getType())) return false;
  const auto* const recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&value));
  return recurrence != nullptr && recurrence->getLoop() == &loop && recurrence->isAffine();
}

double costOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const TargetTransformInfo& target,
              unsigned width) {
  return Costs(loop, evolution, target, width).sum();
}

double tailOf(std::uint64_t least, std::uint64_t most, unsigned together) {
  if (most < least || most - least >= kMany) return (together - 1) / 2.0;
  double sum = 0;
  for (std::uint64_t trips = least; trips <= most; ++trips) sum += static_cast<double>(trips % together);
  return sum / static_cast<double>(most - least + 1);
}

TargetCosts costsOf(const TargetTransformInfo& target, llvm::LLVMContext& context) {
  const auto bits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  const auto lanes = static_cast<unsigned>(bits / 32);
  if (lanes < 2) return {};
  llvm::Type* const wide = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), lanes);
  llvm::Type* const narrow = llvm::FixedVectorType::get(llvm::Type::getInt8Ty(context), lanes);
  const auto cost = [](const llvm::InstructionCost& known) {
    return known.isValid() ? static_cast<float>(known.getValue()) : 0.0f;
  };
  return {cost(target.getArithmeticInstrCost(llvm::Instruction::Mul, wide, kKind)),
          cost(target.getCastInstrCost(llvm::Instruction::SExt, wide, narrow,
                                       TargetTransformInfo::CastContextHint::None, kKind)),
          cost(target.getIntrinsicInstrCost(
              llvm::IntrinsicCostAttributes(llvm::Intrinsic::smax, wide, {wide, wide}), kKind))};
}

std::vector<double> estimatesOf(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                                const TargetTransformInfo& target, std::uint64_t least, std::uint64_t most) {
  const double trips = most == 0 ? kTypicalTrips : static_cast<double>(least + most) / 2;
  const double scalar = costOf(loop, evolution, target, 1);
  std::map<unsigned, double> by_width{{1, scalar}};
  std::vector<double> estimates(notation::vectorFactorsDecision().answers.size(), 0.0);
  for (std::uint32_t answer = 0; answer < estimates.size(); ++answer) {
    const auto factors = notation::vectorFactorsOf(answer);
    if (!factors) continue;
    auto known = by_width.find(factors->width);
    if (known == by_width.end())
      known = by_width.emplace(factors->width, costOf(loop, evolution, target, factors->width)).first;
    const unsigned together = factors->width * factors->interleave;
    const double tail = std::min(tailOf(least, most, together), trips);
    estimates[answer] = ((trips - tail) * (known->second + 1.0 / together) + tail * (scalar + 1)) / trips;
  }
  return estimates;
}

}  // namespace ordo::advisors
