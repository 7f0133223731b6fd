// A way in (makeEntry()) is a function of one pointer, to slots: it loads the arguments from them, calls, and
// stores the result behind them, so that whoever calls needs no signature. A stand-in (standIn()) is the
// reverse: it stores its arguments in slots, calls ordo_foreign with them and a constant laid out as Foreign
// in run.h, and returns what that put behind them. Calls that cannot be modelled so end the run instead.
// prepare() also makes all definitions external, so that a linker finds them by name.
#include "llvm/execution/entries.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>

#include "llvm/execution/library.h"
#include "llvm/execution/run.h"

namespace ordo::execution {
namespace {

using llvm::Value;

constexpr std::uint64_t kSlot = sizeof(Slot);

Shape shapeOf(const llvm::Type* type, const llvm::DataLayout& layout) {
  if (type->isVoidTy()) return {};
  const auto bits =
      static_cast<std::uint32_t>(layout.getTypeSizeInBits(const_cast<llvm::Type*>(type)).getFixedValue());
  if (bits > kSlot * 8) return {Type::kOther, 0};
  if (type->isIntegerTy()) return {Type::kInteger, bits};
  if (type->isPointerTy()) return {Type::kPointer, bits};
  if (type->isFloatingPointTy()) return {Type::kFloat, bits};
  return {Type::kOther, bits};
}

class Preparer {
 public:
  explicit Preparer(llvm::Module& module)
      : module_(module),
        layout_(module.getDataLayout()),
        context_(module.getContext()),
        library_(module.getTargetTriple()) {}

  // Whether `function` can be called with what slots hold.
  bool fits(const llvm::Function& function) const;
  // Defines `ordo.entry.NAME`, a function of a pointer to slots, for what is called `function` or is an alias
  // of it.
  void makeEntry(llvm::Function& function, llvm::GlobalValue& callee);
  // Gives a body to a function that is only declared, unless the C library has it.
  void standIn(llvm::Function& function);

 private:
  llvm::IntegerType* i8() { return llvm::Type::getInt8Ty(context_); }
  llvm::IntegerType* i32() { return llvm::Type::getInt32Ty(context_); }
  llvm::PointerType* pointer() { return llvm::PointerType::get(context_, 0); }
  Value* slot(llvm::IRBuilder<>& builder, Value* slots, std::uint64_t index) {
    return builder.CreateConstGEP1_64(i8(), slots, index * kSlot);
  }
  llvm::Constant* table(llvm::ArrayRef<std::uint32_t> values, llvm::Type* element);

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::LLVMContext& context_;
  llvm::TargetLibraryInfoImpl library_;
};

bool Preparer::fits(const llvm::Function& function) const {
  if (function.isVarArg() || function.hasFnAttribute(llvm::Attribute::Naked)) return false;
  const auto holds = [&](llvm::Type* type) {
    return type->isVoidTy() ||
           (type->isSized() && !type->isScalableTy() && layout_.getTypeAllocSize(type) <= kSlot);
  };
  return holds(function.getReturnType()) &&
         std::ranges::all_of(function.args(), [&](const llvm::Argument& argument) {
           return holds(argument.getType()) && !argument.hasInAllocaAttr() && !argument.hasPreallocatedAttr();
         });
}

void Preparer::makeEntry(llvm::Function& function, llvm::GlobalValue& callee) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {pointer()}, false);
  auto* entry = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                       "ordo.entry." + callee.getName(), module_);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "", entry));
  std::vector<Value*> arguments;
  for (llvm::Argument& argument : function.args())
    arguments.push_back(
        builder.CreateLoad(argument.getType(), slot(builder, entry->getArg(0), argument.getArgNo())));
  llvm::CallInst* call = builder.CreateCall(function.getFunctionType(), &callee, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setAttributes(function.getAttributes().removeFnAttributes(context_));
  if (!function.getReturnType()->isVoidTy())
    builder.CreateStore(call, slot(builder, entry->getArg(0), function.arg_size()));
  builder.CreateRetVoid();
}

llvm::Constant* Preparer::table(llvm::ArrayRef<std::uint32_t> values, llvm::Type* element) {
  std::vector<llvm::Constant*> constants;
  for (const std::uint32_t value : values) constants.push_back(llvm::ConstantInt::get(element, value));
  auto* type = llvm::ArrayType::get(element, values.size());
  return new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage,
                                  llvm::ConstantArray::get(type, constants), "ordo.table");
}

void Preparer::standIn(llvm::Function& function) {
  if (function.isIntrinsic() || function.getName().starts_with("ordo_")) return;
  const auto modelled = library();
  if (std::ranges::find(modelled, function.getName().str(), &LibraryFunction::name) != modelled.end()) return;
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "", &function));
  // LLVM knows more about these than that they are called: a stand-in would be another function.
  llvm::LibFunc known{};
  const bool is_known = library_.getLibFunc(function.getName(), known);
  if (is_known || !fits(function)) {
    // Variable arguments cannot be told; the call itself can.
    if (is_known || !function.isVarArg()) {
      auto give_up = module_.getOrInsertFunction(
          "ordo_give_up", llvm::FunctionType::get(builder.getVoidTy(), {pointer()}, false));
      builder.CreateCall(give_up, builder.CreateGlobalString("calls " + function.getName().str() +
                                                             "(), which is not modelled"));
      builder.CreateUnreachable();
      return;
    }
  }
  const std::uint64_t arguments = function.arg_size();
  auto* slots = builder.CreateAlloca(llvm::ArrayType::get(i8(), (arguments + 1) * kSlot));
  slots->setAlignment(llvm::Align(kSlot));
  std::vector<std::uint32_t> shapes, writes;
  for (llvm::Argument& argument : function.args()) {
    const Shape shape = shapeOf(argument.getType(), layout_);
    shapes.insert(shapes.end(), {static_cast<std::uint32_t>(shape.type), shape.bits});
    writes.push_back(
        argument.getType()->isPointerTy() && !argument.onlyReadsMemory() && !function.onlyReadsMemory() ? 1
                                                                                                        : 0);
    builder.CreateStore(&argument, slot(builder, slots, argument.getArgNo()));
  }
  const Shape result = shapeOf(function.getReturnType(), layout_);
  shapes.insert(shapes.end(), {static_cast<std::uint32_t>(result.type), result.bits});
  writes.push_back(0);
  const bool pure = function.onlyReadsMemory() && function.willReturn() && function.doesNotThrow();
  auto* type = llvm::StructType::get(context_, {pointer(), i32(), pointer(), pointer(), i8(), i8(), i8()});
  auto* foreign = new llvm::GlobalVariable(
      module_, type, true, llvm::GlobalValue::PrivateLinkage,
      llvm::ConstantStruct::get(
          type,
          {builder.CreateGlobalString(function.getName()),
           builder.getInt32(static_cast<std::uint32_t>(arguments)), table(shapes, i32()), table(writes, i8()),
           builder.getInt8(pure ? 1 : 0), builder.getInt8(function.doesNotReturn() ? 1 : 0),
           builder.getInt8(function.hasRetAttribute(llvm::Attribute::NonNull) ? 1 : 0)}),
      "ordo.foreign");
  auto call = module_.getOrInsertFunction(
      "ordo_foreign", llvm::FunctionType::get(builder.getVoidTy(), {pointer(), pointer()}, false));
  builder.CreateCall(call, {foreign, slots});
  if (function.getReturnType()->isVoidTy()) {
    builder.CreateRetVoid();
  } else {
    builder.CreateRet(builder.CreateLoad(function.getReturnType(), slot(builder, slots, arguments)));
  }
  // What was promised about somebody else's body need not hold for this one.
  function.setAttributes(
      llvm::AttributeList()
          .addRetAttributes(context_, llvm::AttrBuilder(context_, function.getAttributes().getRetAttrs()))
          .addFnAttribute(context_, llvm::Attribute::NoInline));
}

}  // namespace

Prepared prepare(llvm::Module& module, const std::function<bool(const std::string& name)>& has) {
  Prepared prepared;
  Preparer preparer(module);
  std::vector<std::string> constructors;
  if (llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors");
      list != nullptr && list->hasInitializer()) {
    std::vector<std::pair<std::uint64_t, std::string>> order;
    if (auto* all = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())) {
      for (const llvm::Use& use : all->operands()) {
        auto* one = llvm::cast<llvm::ConstantStruct>(use);
        if (auto* function = llvm::dyn_cast<llvm::Function>(one->getOperand(1)->stripPointerCasts()))
          order.emplace_back(llvm::cast<llvm::ConstantInt>(one->getOperand(0))->getZExtValue(),
                             function->getName().str());
      }
    }
    std::ranges::sort(order, {}, [](const auto& entry) { return entry.first; });
    for (auto& [priority, name] : order) constructors.push_back(std::move(name));
  }
  for (const char* name : {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable* list = module.getGlobalVariable(name, true)) list->eraseFromParent();
  }
  for (llvm::GlobalObject& object : module.global_objects()) {
    object.setComdat(nullptr);
    object.setDSOLocal(false);
    object.setSection("");
    if (!object.hasName()) object.setName("unnamed");
  }
  const auto expose = [](llvm::GlobalObject& object) {
    object.setLinkage(llvm::GlobalValue::ExternalLinkage);
    object.setVisibility(llvm::GlobalValue::DefaultVisibility);
  };
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::GlobalVariable& variable : module.globals()) {
    variable.setThreadLocal(false);
    if (variable.isDeclaration() || variable.getName().starts_with("ordo.")) continue;
    prepared.variables.push_back({variable.getName().str(), layout.getTypeAllocSize(variable.getValueType()),
                                  !variable.isConstant(), !variable.hasLocalLinkage()});
    expose(variable);
  }
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module) functions.push_back(&function);
  for (llvm::Function* function : functions) {
    if (function->isDeclaration()) {
      if (!has(function->getName().str())) preparer.standIn(*function);
      continue;
    }
    prepared.functions.push_back({function->getName().str(), 1, false, !function->hasLocalLinkage()});
    expose(*function);
    if (!preparer.fits(*function)) continue;
    preparer.makeEntry(*function, *function);
    prepared.entries.push_back(function->getName().str());
  }
  for (llvm::GlobalAlias& alias : module.aliases()) {
    alias.setDSOLocal(false);
    auto* function = llvm::dyn_cast<llvm::Function>(alias.getAliasee());
    if (function == nullptr || alias.hasLocalLinkage() || !preparer.fits(*function)) continue;
    preparer.makeEntry(*function, alias);
    prepared.entries.push_back(alias.getName().str());
  }
  prepared.constructors = std::move(constructors);
  return prepared;
}

}  // namespace ordo::execution
