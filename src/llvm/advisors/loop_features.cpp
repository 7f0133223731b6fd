#include "llvm/advisors/loop_features.h"

#include <fmt/format.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "llvm/actions/loop_hints.h"
#include "llvm/advisors/loop_costs.h"
#include "notation/decisions.h"
#include "support/error.h"

namespace ordo::advisors {
namespace {

constexpr std::uint64_t kMostTrips = 1 << 20;  // above that, a bound says nothing
constexpr unsigned kMostMultiple = 64;         // a power of two
constexpr double kFine = 64;                   // of estimates

// Features by name, so that their order is the decision's alone.
class Features {
 public:
  Features() : values_(notation::vectorFactorsDecision().features.size(), 0.0f) {}

  float& operator[](std::string_view name) {
    const auto place = places().find(name);
    ORDO_CHECK(place != places().end(), "the decision has no feature '{}'", name);
    return values_[place->second];
  }
  // Of "name_8", "name_16", … the one for so many bits.
  float& byWidth(std::string_view name, unsigned bits) {
    return (*this)[fmt::format("{}_{}", name, bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64)];
  }
  std::vector<float> take() { return std::move(values_); }

 private:
  static const std::map<std::string, std::size_t, std::less<>>& places() {
    static const auto places = [] {
      std::map<std::string, std::size_t, std::less<>> made;
      for (const std::string& name : notation::vectorFactorsDecision().features)
        made.emplace(name, made.size());
      return made;
    }();
    return places;
  }

  std::vector<float> values_;
};

// Whether anybody has said what is to become of the loop, or of what it was made from.
bool isSpokenFor(const llvm::Loop& loop) {
  const llvm::MDNode* const said = loop.getLoopID();
  if (said == nullptr) return false;
  for (const llvm::MDOperand& operand : llvm::drop_begin(said->operands())) {
    const auto* const one = llvm::dyn_cast<llvm::MDNode>(operand);
    if (one == nullptr || one->getNumOperands() == 0) continue;
    const auto* const name = llvm::dyn_cast<llvm::MDString>(one->getOperand(0));
    if (name == nullptr) continue;  // where it is in the source
    if (name->getString() != "llvm.loop.mustprogress" && name->getString() != "llvm.loop.peeled.count" &&
        name->getString() != "llvm.loop.estimated_trip_count")
      return true;
  }
  return false;
}

unsigned bitsOf(const llvm::Type* type) { return type->isPointerTy() ? 64 : type->getScalarSizeInBits(); }

bool isPlain(const llvm::Type* type) {
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

class Reader {
 public:
  Reader(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::TargetTransformInfo& target)
      : loop_(loop), evolution_(evolution), target_(target) {}

  std::optional<LoopCase> read() {
    // Exits may still be shared: the vectorizer sees to that.
    if (!loop_.isInnermost() || loop_.getLoopPreheader() == nullptr || loop_.getLoopLatch() == nullptr ||
        isSpokenFor(loop_))
      return std::nullopt;
    const llvm::SCEV* const taken = evolution_.getBackedgeTakenCount(&loop_);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(taken)) return std::nullopt;
    readTrips(*taken);
    for (llvm::BasicBlock* block : loop_.blocks()) {
      const bool conditional = !isAlways(*block);
      for (llvm::Instruction& instruction : *block)
        if (!readInstruction(instruction, conditional)) return std::nullopt;
    }
    if (accesses_ == 0) return std::nullopt;
    f_["register_bits"] = static_cast<float>(
        target_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue());
    f_["vector_registers"] =
        static_cast<float>(target_.getNumberOfRegisters(target_.getRegisterClassForType(/*Vector=*/true)));
    const TargetCosts costs = costsOf(target_, loop_.getHeader()->getContext());
    f_["cost_multiply"] = costs.multiply;
    f_["cost_extend"] = costs.extend;
    f_["cost_largest"] = costs.largest;
    f_["depth"] = static_cast<float>(loop_.getLoopDepth());
    f_["blocks"] = static_cast<float>(loop_.getNumBlocks());
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop_.getExitingBlocks(exits);
    f_["exits"] = static_cast<float>(exits.size());
    readPointers();
    const std::vector<double> estimates =
        estimatesOf(loop_, evolution_, target_, static_cast<std::uint64_t>(f_["least_trips"]),
                    static_cast<std::uint64_t>(f_["most_trips"]));
    for (std::uint32_t answer = 1; answer < estimates.size(); ++answer)
      f_["estimate_" + notation::vectorFactorsDecision().answers[answer]] =
          static_cast<float>(std::lround(kFine * estimates[answer]));
    LoopCase result;
    const bool ordered = actions::isOrdered(loop_);
    for (std::uint32_t answer = 0; answer < notation::vectorFactorsDecision().answers.size(); ++answer) {
      const auto factors = notation::vectorFactorsOf(answer);
      result.allowed.push_back(!ordered || !factors || factors->width == 1);
    }
    result.features = f_.take();
    return result;
  }

 private:
  // Whether the block is gone through in each iteration.
  bool isAlways(llvm::BasicBlock& block) {
    // Blocks of an innermost loop that do not branch are few; the latch and the header always run.
    if (&block == loop_.getHeader() || &block == loop_.getLoopLatch()) return true;
    return false;
  }

  void readTrips(const llvm::SCEV& taken) {
    const unsigned trips = evolution_.getSmallConstantTripCount(&loop_);
    std::uint64_t least = trips, most = trips;
    if (trips == 0) {
      const llvm::ConstantRange range =
          evolution_.getUnsignedRange(evolution_.applyLoopGuards(&taken, &loop_));
      most = range.getUnsignedMax().getLimitedValue(kMostTrips) + 1;
      const auto estimate = most > kMostTrips ? llvm::getLoopEstimatedTripCount(&loop_) : std::nullopt;
      if (estimate) {
        least = most = *estimate;
      } else {
        least = range.getUnsignedMin().getLimitedValue(kMostTrips) + 1;
        if (most > kMostTrips) most = 0;
      }
    }
    f_["trips"] = static_cast<float>(std::min<std::uint64_t>(trips, kMostTrips));
    f_["least_trips"] = static_cast<float>(std::min(least, kMostTrips));
    f_["most_trips"] = static_cast<float>(std::min(most, kMostTrips));
    const unsigned multiple = std::max(evolution_.getSmallConstantTripMultiple(&loop_), 1u);
    f_["trips_multiple"] = static_cast<float>(std::min(multiple & -multiple, kMostMultiple));
  }

  // What nothing but the end of the loop depends on.
  bool isExit(const llvm::Instruction& instruction) {
    return instruction.hasOneUse() && llvm::isa<llvm::CmpInst>(instruction) &&
           llvm::cast<llvm::Instruction>(*instruction.user_begin()) == loop_.getLoopLatch()->getTerminator();
  }

  // False if nobody is to be asked about a loop with it.
  bool readInstruction(llvm::Instruction& instruction, bool conditional) {
    if (instruction.isDebugOrPseudoInst() || llvm::isa<llvm::GetElementPtrInst>(instruction)) return true;
    ++f_["instructions"];
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return readPhi(*phi);
    if (instruction.isTerminator()) return true;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return load->isSimple() &&
             readAccess("loads", load->getType(), *load->getPointerOperand(), conditional);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->isSimple() && readAccess("stores", store->getValueOperand()->getType(),
                                             *store->getPointerOperand(), conditional);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return readCall(*call);
    if (!isPlain(instruction.getType()) || instruction.mayReadOrWriteMemory()) return false;
    if (!isIndex(loop_, evolution_, instruction) && !isExit(instruction)) readWork(instruction);
    return true;
  }

  bool readPhi(llvm::PHINode& phi) {
    if (!isPlain(phi.getType())) return false;
    if (phi.getParent() != loop_.getHeader()) {
      f_.byWidth("select", bitsOf(phi.getType()))++;
      return true;
    }
    if (isIndex(loop_, evolution_, phi)) return true;
    llvm::RecurrenceDescriptor reduction;
    if (!llvm::RecurrenceDescriptor::isReductionPHI(&phi, &loop_, reduction)) {
      ++f_["recurrences"];
      return true;
    }
    const unsigned bits = bitsOf(reduction.getRecurrenceType());
    switch (reduction.getRecurrenceKind()) {
      case llvm::RecurKind::Add:
      case llvm::RecurKind::Sub:
      case llvm::RecurKind::AddChainWithSubs:
        ++f_.byWidth("sum", bits);
        break;
      case llvm::RecurKind::Or:
      case llvm::RecurKind::And:
      case llvm::RecurKind::Xor:
        ++f_["logic"];
        break;
      case llvm::RecurKind::Mul:
        ++f_["product"];
        break;
      case llvm::RecurKind::SMin:
      case llvm::RecurKind::SMax:
      case llvm::RecurKind::UMin:
      case llvm::RecurKind::UMax:
        ++f_.byWidth("extreme", bits);
        break;
      default:
        if (phi.getType()->isFloatingPointTy())
          ++f_[reduction.hasExactFPMath() ? "float_in_order" : "float_reduction"];
        else
          ++f_["any_or_last"];
    }
    return true;
  }

  bool readAccess(std::string_view kind, llvm::Type* type, llvm::Value& pointer, bool conditional) {
    if (!isPlain(type)) return false;
    const unsigned bits = bitsOf(type);
    ++accesses_;
    ++f_.byWidth(kind, bits);
    if (conditional) ++f_[fmt::format("conditional_{}", kind)];
    float& narrowest = f_["narrowest_bits"];
    narrowest = narrowest == 0 ? static_cast<float>(bits) : std::min(narrowest, static_cast<float>(bits));
    f_["widest_bits"] = std::max(f_["widest_bits"], static_cast<float>(bits));
    (kind == "stores" ? written_ : read_).insert(llvm::getUnderlyingObject(&pointer));
    ++f_[fmt::format("{}_{}", kind, wayOf(pointer, bits))];
    return true;
  }

  std::string_view wayOf(llvm::Value& pointer, unsigned bits) {
    const Step step = stepOf(loop_, evolution_, pointer, bits);
    switch (step.kind) {
      case Step::Kind::kNext:
        return "next";
      case Step::Kind::kReversed:
        return "reversed";
      case Step::Kind::kFixed:
        return "fixed";
      case Step::Kind::kStrided:
        f_["stride"] = std::max(f_["stride"], static_cast<float>(step.elements));
        return "strided";
      case Step::Kind::kScattered:
        break;
    }
    return "scattered";
  }

  bool readCall(llvm::CallBase& call) {
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
    if (intrinsic == nullptr) return false;
    if (intrinsic->isAssumeLikeIntrinsic()) return true;
    if (!llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) || !isPlain(call.getType())) return false;
    const unsigned bits = bitsOf(call.getType());
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax:
        ++f_.byWidth("min_max", bits);
        break;
      case llvm::Intrinsic::abs:
        ++f_["absolute"];
        break;
      case llvm::Intrinsic::fmuladd:
      case llvm::Intrinsic::fma:
        ++f_[bits == 32 ? "float_add_32" : "float_add_64"];
        ++f_[bits == 32 ? "float_multiply_32" : "float_multiply_64"];
        break;
      case llvm::Intrinsic::sqrt:
        ++f_["float_divide"];
        break;
      default:
        ++f_["calls"];
    }
    return true;
  }

  void readCast(const llvm::Instruction& cast) {
    const unsigned from = bitsOf(cast.getOperand(0)->getType()), to = bitsOf(cast.getType());
    const auto times = [](unsigned wide, unsigned narrow) {
      const unsigned ratio = wide / std::max(narrow, 8u);
      return ratio <= 2 ? 2 : ratio <= 4 ? 4 : 8;
    };
    switch (cast.getOpcode()) {
      case llvm::Instruction::ZExt:
        ++f_[fmt::format("zero_extend_{}", times(to, from))];
        break;
      case llvm::Instruction::SExt:
        ++f_[fmt::format("sign_extend_{}", times(to, from))];
        break;
      case llvm::Instruction::Trunc:
        ++f_[fmt::format("truncate_{}", times(from, to))];
        break;
      case llvm::Instruction::UIToFP:
      case llvm::Instruction::SIToFP:
        ++f_["int_to_float"];
        break;
      case llvm::Instruction::FPToUI:
      case llvm::Instruction::FPToSI:
        ++f_["float_to_int"];
        break;
      default:
        ++f_["float_casts"];
    }
  }

  void readWork(const llvm::Instruction& instruction) {
    if (instruction.isCast()) return readCast(instruction);
    const unsigned bits = bitsOf(instruction.getType());
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Mul:
        ++f_.byWidth("multiply", bits);
        break;
      case llvm::Instruction::Shl:
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
        ++f_.byWidth("shift", bits);
        if (!loop_.isLoopInvariant(instruction.getOperand(1))) ++f_["shift_by_varying"];
        break;
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        ++f_["divide"];
        break;
      case llvm::Instruction::ICmp:
      case llvm::Instruction::FCmp:
        ++f_.byWidth("compare", bitsOf(instruction.getOperand(0)->getType()));
        break;
      case llvm::Instruction::Select:
        ++f_.byWidth("select", bits);
        break;
      case llvm::Instruction::FAdd:
      case llvm::Instruction::FSub:
      case llvm::Instruction::FNeg:
        ++f_[bits == 32 ? "float_add_32" : "float_add_64"];
        break;
      case llvm::Instruction::FMul:
        ++f_[bits == 32 ? "float_multiply_32" : "float_multiply_64"];
        break;
      case llvm::Instruction::FDiv:
      case llvm::Instruction::FRem:
        ++f_["float_divide"];
        break;
      default:
        ++f_.byWidth("simple", bits);
    }
  }

  // Pairs of places of which one is written and nobody knows that they are apart.
  void readPointers() {
    const auto apart = [](const llvm::Value* one, const llvm::Value* other) {
      return (llvm::isIdentifiedObject(one) && llvm::isIdentifiedObject(other)) ||
             llvm::isIdentifiedFunctionLocal(one) || llvm::isIdentifiedFunctionLocal(other);
    };
    std::size_t pairs = 0;
    for (const llvm::Value* to : written_) {
      for (const llvm::Value* other : written_) pairs += to < other && !apart(to, other);
      for (const llvm::Value* from : read_) pairs += !written_.contains(from) && !apart(to, from);
    }
    f_["pointers_to_check"] = static_cast<float>(pairs);
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const llvm::TargetTransformInfo& target_;
  Features f_;
  std::size_t accesses_ = 0;
  std::set<const llvm::Value*> read_, written_;
};

}  // namespace

std::optional<LoopCase> caseOf(llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                               const llvm::TargetTransformInfo& target) {
  return Reader(loop, evolution, target).read();
}

}  // namespace ordo::advisors
