// codegen_shapes: a module as its code generator will see it, in counts. What an instruction costs depends on
// its operands: whether one is a constant that fits, whether an address is of the stack, a field or an
// element, whether a comparison is a branch's. Functions cost what calls and pressure make them save. Sums
// over the module, of what is emitted; no target decides anything, and what a count is worth is learned
// (search/knowledge/estimate.h).
#include "llvm/features/codegen_shapes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "llvm/features/feature.h"
#include "llvm/features/liveness.h"

namespace ordo::features {
namespace {

#define ORDO_NAME(name) std::string_view(#name),
constexpr std::string_view kNames[] = {ORDO_SHAPES(ORDO_NAME)};
#undef ORDO_NAME
static_assert(std::size(kNames) == kShapes);

enum Width : std::size_t { k8, k16, k32, k64, kFloat, kVector };

// Whatever is no number is as wide as an address.
Width widthOf(const llvm::Type* type) {
  if (type->isVectorTy()) return kVector;
  if (type->isFloatingPointTy()) return kFloat;
  const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type);
  if (integer == nullptr || integer->getBitWidth() > 32) return k64;
  return integer->getBitWidth() <= 8 ? k8 : integer->getBitWidth() <= 16 ? k16 : k32;
}

void countBinary(const llvm::BinaryOperator& binary, ShapeCounts& counts) {
  const Width width = widthOf(binary.getType());
  if (width == kVector) return counts.add(k_vector_binary);
  const llvm::Value* constant = binary.getOperand(llvm::isa<llvm::Constant>(binary.getOperand(1)) ? 1 : 0);
  const std::size_t is_constant = llvm::isa<llvm::Constant>(constant) ? 1 : 0;
  switch (binary.getOpcode()) {
    case llvm::Instruction::Add:
      counts.add(k_add, 1, is_constant);
      break;
    case llvm::Instruction::Sub:
      counts.add(k_sub, 1, is_constant);
      break;
    case llvm::Instruction::Mul:
      counts.add(k_mul, 1, is_constant);
      break;
    case llvm::Instruction::And:
      counts.add(k_bit_and, 1, is_constant);
      break;
    case llvm::Instruction::Or:
      counts.add(k_bit_or, 1, is_constant);
      break;
    case llvm::Instruction::Xor:
      counts.add(k_bit_xor, 1, is_constant);
      break;
    case llvm::Instruction::Shl:
      counts.add(k_shl, 1, is_constant);
      break;
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      counts.add(k_shr, 1, is_constant);
      break;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
      counts.add(k_divide);
      break;
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      counts.add(k_remainder);
      break;
    default:
      return counts.add(k_float_binary);
  }
  counts.add(k_binary_narrow, width <= k16);
  counts.add(k_binary_64, width == k64);
  if (is_constant == 0 || fitsConstant(constant, 8)) return;
  counts.add(fitsConstant(constant, 32) ? k_binary_const_32 : k_binary_const_wide);
}

void countComparison(const llvm::ICmpInst& comparison, ShapeCounts& counts) {
  const auto uses = comparison.users();
  const bool branches = std::ranges::all_of(uses, [&](const llvm::User* user) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(user);
    return branch != nullptr && branch->getParent() == comparison.getParent();
  });
  const bool selects =
      std::ranges::all_of(uses, [](const llvm::User* user) { return llvm::isa<llvm::SelectInst>(user); });
  const auto* right = llvm::dyn_cast<llvm::Constant>(comparison.getOperand(1));
  const bool zero = right != nullptr && right->isNullValue();
  counts.add(branches ? k_icmp_branch : selects ? k_icmp_select : k_icmp_value);
  if (zero) counts.add(branches ? k_icmp_zero_branch : selects ? k_icmp_zero_select : k_icmp_zero_value);
  counts.add(k_icmp_const, right != nullptr && !zero);
  const Width width = widthOf(comparison.getOperand(0)->getType());
  counts.add(k_icmp_narrow, width <= k16);
  counts.add(k_icmp_64, width >= k64);
}

// Of a load or store: how its address is made, as places behind load_global or store_global.
std::size_t addressKind(const llvm::Value* pointer) {
  if (llvm::isa<llvm::Constant>(pointer)) return 0;
  if (llvm::isa<llvm::AllocaInst>(pointer)) return 1;
  const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (address == nullptr) return 3;
  if (!address->hasAllConstantIndices()) return 4;
  return llvm::isa<llvm::AllocaInst>(address->getPointerOperand()) ? 1 : 2;
}

void countAddress(const llvm::GetElementPtrInst& address, ShapeCounts& counts) {
  const auto variable = std::ranges::count_if(
      address.indices(), [](const llvm::Value* index) { return !llvm::isa<llvm::Constant>(index); });
  counts.add(foldsIntoUses(address) ? k_folded_const : k_address_const, 1, variable > 1 ? 2 : variable);
}

void countPhi(const llvm::PHINode& phi, ShapeCounts& counts) {
  const Width width = widthOf(phi.getType());
  counts.add(k_phi);
  counts.add(k_phi_values, phi.getNumIncomingValues());
  counts.add(k_phi_float, width >= kFloat);
  if (width == k64) counts.add(k_phi_64_values, phi.getNumIncomingValues());
  for (const llvm::Value* value : phi.incoming_values()) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant == nullptr || llvm::isa<llvm::UndefValue>(constant)) continue;
    counts.add(constant->isNullValue() ? k_phi_zeros : k_phi_consts);
  }
}

void countSelect(const llvm::SelectInst& select, ShapeCounts& counts) {
  const Width width = widthOf(select.getType());
  const auto isConstant = [](const llvm::Value* value) { return llvm::isa<llvm::Constant>(value) ? 1u : 0u; };
  counts.add(k_select, 1, isConstant(select.getTrueValue()) + isConstant(select.getFalseValue()));
  counts.add(k_select_narrow, width <= k16);
  counts.add(k_select_float, width == kFloat);
  counts.add(k_select_vector, width == kVector);
}

void countCast(const llvm::CastInst& cast, ShapeCounts& counts) {
  if (cast.getType()->isVectorTy()) return counts.add(k_vector_cast);
  const bool of_bool = cast.getSrcTy()->isIntegerTy(1);
  const Width from = widthOf(cast.getSrcTy());
  const bool of_load = llvm::isa<llvm::LoadInst>(cast.getOperand(0)) && cast.getOperand(0)->hasOneUse();
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
      return counts.add(of_bool       ? k_zext_bool
                        : of_load     ? k_zext_load
                        : from == k32 ? k_zext_32
                        : from == k8  ? k_zext_8
                                      : k_zext_16);
    case llvm::Instruction::SExt:
      return counts.add(of_bool                            ? k_sext_bool
                        : of_load                          ? k_sext_load
                        : from == k32                      ? k_sext_32
                        : widthOf(cast.getDestTy()) == k64 ? k_sext_to_64
                                                           : k_sext_other);
    case llvm::Instruction::Trunc:
      return counts.add(cast.getDestTy()->isIntegerTy(1) ? k_trunc_bool : k_trunc);
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::SIToFP:
      return counts.add(k_float_to_signed);
    case llvm::Instruction::FPToUI:
    case llvm::Instruction::UIToFP:
      return counts.add(k_float_to_unsigned);
    case llvm::Instruction::FPExt:
    case llvm::Instruction::FPTrunc:
      return counts.add(k_float_to_float);
    default:
      return counts.add(k_other_cast);
  }
}

void countBranch(const llvm::BranchInst& branch, ShapeCounts& counts) {
  const llvm::BasicBlock* block = branch.getParent();
  const auto isNext = [&](const llvm::BasicBlock* target) { return target == block->getNextNode(); };
  for (const llvm::BasicBlock* target : branch.successors()) counts.add(k_branch_to_self, target == block);
  if (branch.isConditional()) {
    counts.add(k_branch);
    counts.add(k_branch_to_next, llvm::any_of(branch.successors(), isNext));
    return;
  }
  const llvm::BasicBlock* target = branch.getSuccessor(0);
  counts.add(target->getSinglePredecessor() != nullptr ? k_jump_to_only
             : isNext(target)                          ? k_jump_to_next
                                                       : k_jump);
}

void countSwitch(const llvm::SwitchInst& choice, ShapeCounts& counts) {
  constexpr unsigned kForTable = 4;  // cases, from which a table of jumps may be made
  const unsigned cases = choice.getNumCases();
  counts.add(k_switches);
  counts.add(k_cases, cases);
  if (cases < kForTable) return;
  counts.add(k_switches_of_4);
  counts.add(k_cases_of_4, cases);
}

void countReturn(const llvm::ReturnInst& instruction, ShapeCounts& counts) {
  const llvm::Value* value = instruction.getReturnValue();
  counts.add(value == nullptr                   ? k_return_nothing
             : llvm::isa<llvm::Constant>(value) ? k_return_const
             : llvm::isa<llvm::CallBase>(value) ? k_return_call
                                                : k_return_value);
}

void countInstruction(const llvm::Instruction& instruction, ShapeCounts& counts) {
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return countBinary(*binary, counts);
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return countComparison(*comparison, counts);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    counts.add(k_load_global, 1, addressKind(load->getPointerOperand()));
    return counts.add(k_load_8, 1, widthOf(load->getType()));
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    counts.add(k_store_global, 1, addressKind(store->getPointerOperand()));
    counts.add(k_store_8, 1, widthOf(store->getValueOperand()->getType()));
    return counts.add(k_store_const, llvm::isa<llvm::Constant>(store->getValueOperand()));
  }
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return countAddress(*address, counts);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return countPhi(*phi, counts);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return countCall(*call, counts);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return countSelect(*select, counts);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return countCast(*cast, counts);
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return countBranch(*branch, counts);
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return countSwitch(*choice, counts);
  if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) return countReturn(*end, counts);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Alloca:
      return;  // the function's
    case llvm::Instruction::FCmp:
      return counts.add(k_fcmp);
    case llvm::Instruction::FNeg:
      return counts.add(k_float_unary);
    case llvm::Instruction::Unreachable:
      return counts.add(k_unreachable);
    case llvm::Instruction::Resume:
      return counts.add(k_resume);
    case llvm::Instruction::Freeze:
      return counts.add(k_freeze);
    case llvm::Instruction::ExtractValue:
      return counts.add(k_extract_value);
    case llvm::Instruction::InsertValue:
      return counts.add(k_insert_value);
    case llvm::Instruction::ExtractElement:
      return counts.add(k_extract_element);
    case llvm::Instruction::InsertElement:
      return counts.add(k_insert_element);
    case llvm::Instruction::ShuffleVector:
      return counts.add(k_shuffle);
    case llvm::Instruction::LandingPad:
      return counts.add(k_landing_pad);
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
      return counts.add(k_atomic);
    default:
      return counts.add(k_other);
  }
}

// What calls and pressure make a function save and spill, with some numbers of registers that machines have.
void countPressure(const llvm::Function& function, std::int64_t returns, ShapeCounts& counts) {
  constexpr std::int64_t kKept = 6;  // registers that callees leave alone
  const Liveness alive = livenessOf(function);
  const auto beyond = [](std::int64_t amount, std::int64_t bound) {
    return std::max<std::int64_t>(amount - bound, 0);
  };
  const std::int64_t saved = std::min(alive.across_calls, kKept);
  counts.add(k_alive_across_blocks, alive.across_blocks);
  counts.add(k_saved, saved);
  counts.add(k_saving_functions, saved > 0);
  counts.add(k_saved_beyond_2, beyond(saved, 2));
  counts.add(k_saved_by_returns, saved * returns);
  counts.add(k_spilled_by_calls, beyond(alive.across_calls, kKept));
  counts.add(k_beyond_9, beyond(alive.at_once, 9));
  counts.add(k_beyond_9_to_15, beyond(std::min<std::int64_t>(alive.at_once, 15), 9));
  counts.add(k_beyond_14, beyond(alive.at_once, 14));
}

void countFunction(const llvm::Function& function, ShapeCounts& counts) {
  constexpr std::uint64_t kLargeFrame = 120;  // bytes, from which offsets no longer fit eight bits
  std::uint64_t frame = 0;
  std::int64_t allocas = 0, returns = 0;
  bool calls = false;
  for (const llvm::BasicBlock& block : function) {
    counts.add(k_blocks);
    for (const llvm::Instruction& instruction : block.instructionsWithoutDebug()) {
      countInstruction(instruction, counts);
      calls |= llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction);
      returns += llvm::isa<llvm::ReturnInst>(instruction);
      const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (alloca == nullptr) continue;
      ++allocas;
      const auto size = alloca->getAllocationSize(function.getDataLayout());
      if (alloca->isStaticAlloca() && size)
        frame += size->getKnownMinValue();
      else
        counts.add(k_variable_allocas);
    }
  }
  counts.add(k_functions);
  counts.add(k_local_functions, function.hasLocalLinkage());
  counts.add(k_void_functions, function.getReturnType()->isVoidTy());
  counts.add(k_calling_functions, calls);
  counts.add(k_frames, allocas > 0);
  counts.add(k_large_frames, frame > kLargeFrame);
  counts.add(k_leaf_frames, allocas > 0 && !calls);
  counts.add(k_arguments, static_cast<std::int64_t>(function.arg_size()));
  counts.add(k_allocas, allocas);
  countPressure(function, returns, counts);
}

void extract(const llvm::Module& module, std::string& out) {
  ShapeCounts counts;
  for (const llvm::Function& function : module)
    if (!function.isDeclarationForLinker()) countFunction(function, counts);
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclarationForLinker()) continue;
    counts.add(k_globals);
    if (!global.isConstant() || !global.getValueType()->isSized()) continue;
    const llvm::TypeSize size = module.getDataLayout().getTypeAllocSize(global.getValueType());
    counts.add(k_constant_bytes, static_cast<std::int64_t>(size.getKnownMinValue()));
  }
  out.append(counts.bytes());
}

}  // namespace

extern constinit const FeatureInfo codegen_shapes{
    .name = "codegen_shapes",
    .version = 1,
    .dtype = DType::kInt64,
    .width = kShapes,
    .summary = "instructions by what a code generator makes of them, and what functions save and spill",
    .element_names = kNames,
    .extract = extract,
};

}  // namespace ordo::features
