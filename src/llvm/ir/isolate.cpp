#include "llvm/ir/isolate.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

#include "llvm/ir/text_layout.h"

namespace ordo::ir {
namespace {

bool hasAddressTaken(const llvm::Function& function) {
  return std::any_of(function.begin(), function.end(),
                     [](const llvm::BasicBlock& block) { return block.hasAddressTaken(); });
}

// Others see the symbol as before: whether it can be preempted decides how it is addressed.
void declare(llvm::Function& function, bool local) {
  function.setComdat(nullptr);
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (!local) return;
  function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  function.setDSOLocal(true);
}

// What it stands for may be elsewhere now.
void declare(llvm::GlobalAlias& alias) {
  llvm::Module& module = *alias.getParent();
  const bool local = alias.hasLocalLinkage();
  llvm::GlobalObject* other = nullptr;
  if (auto* const type = llvm::dyn_cast<llvm::FunctionType>(alias.getValueType())) {
    auto* const function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                                  alias.getAddressSpace(), "", &module);
    if (const auto* const meant = llvm::dyn_cast_or_null<llvm::Function>(alias.getAliaseeObject()))
      function->copyAttributesFrom(meant);
    function->setPersonalityFn(nullptr);
    other = function;
  } else {
    other = new llvm::GlobalVariable(module, alias.getValueType(), /*isConstant=*/false,
                                     llvm::GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                                     alias.getThreadLocalMode(), alias.getAddressSpace());
  }
  other->setSection("");
  other->setVisibility(local ? llvm::GlobalValue::HiddenVisibility : alias.getVisibility());
  other->setDSOLocal(local || alias.isDSOLocal());
  other->setUnnamedAddr(alias.getUnnamedAddr());
  other->takeName(&alias);
  alias.replaceAllUsesWith(other);
  alias.eraseFromParent();
}

// Variables stay as they are, because code generation looks at all of them: the size, the bytes of a
// constant, even whether the name means something (scalar evolution sorts by that). They are put where
// textPieces() does not look. The name of a section says which kind it has.
void setAside(llvm::GlobalVariable& variable, std::size_t number) {
  const bool zero = !variable.isConstant() && variable.getInitializer()->isNullValue();
  const char* kind = variable.isThreadLocal() ? (zero ? ".tbss." : ".tdata.") : (zero ? ".bss." : ".data.");
  variable.setComdat(nullptr);
  variable.setSection(fmt::format("{}{}{}", kind, kAside, number));
}

// A module without bodies, but for those of `keep`.
Result<OwnedModule> parseBodies(std::string_view bitcode, std::span<const std::string_view> keep) {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiscardValueNames(true);
  llvm::Expected<std::unique_ptr<llvm::Module>> lazy = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "state"), *context);
  if (!lazy) return fail(ErrorCode::kCorrupt, "{}", llvm::toString(lazy.takeError()));
  OwnedModule module(std::move(context), std::move(*lazy));
  if (!module->ifunc_empty() || !module->getModuleInlineAsm().empty())
    return fail(ErrorCode::kUnsupported, "the module has ifuncs or assembly");
  if (llvm::Error error = module->materializeMetadata())
    return fail(ErrorCode::kCorrupt, "{}", llvm::toString(std::move(error)));
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    if (std::find(keep.begin(), keep.end(), std::string_view(function.getName())) != keep.end()) {
      if (llvm::Error error = function.materialize())
        return fail(ErrorCode::kCorrupt, "{}", llvm::toString(std::move(error)));
      continue;
    }
    const bool emitted = !function.hasAvailableExternallyLinkage();
    const bool local = function.hasLocalLinkage();
    function.deleteBody();  // and makes it external
    if (emitted) declare(function, local);
  }
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module->aliases())) declare(alias);
  return module;
}

}  // namespace

bool separable(const llvm::Module& module) {
  return module.ifunc_empty() && module.getModuleInlineAsm().empty() &&
         module.getNamedMetadata("llvm.dbg.cu") == nullptr &&
         std::none_of(module.begin(), module.end(), hasAddressTaken);
}

Result<OwnedModule> isolateFunctions(std::string_view bitcode, std::span<const std::string_view> functions) {
  ORDO_TRY_ASSIGN(OwnedModule module, parseBodies(bitcode, functions));
  std::size_t number = 0;
  for (llvm::GlobalVariable& variable : module->globals()) {
    if (!variable.isDeclarationForLinker() && !variable.hasAppendingLinkage()) setAside(variable, number++);
  }
  return module;
}

Result<OwnedModule> isolateGlobals(std::string_view bitcode, std::size_t behind) {
  ORDO_TRY_ASSIGN(OwnedModule module, parseBodies(bitcode, {}));
  if (behind > 0) {
    auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module->getContext()), behind);
    auto* before = module->global_empty() ? nullptr : &*module->global_begin();
    auto* filler =
        new llvm::GlobalVariable(*module, type, /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                                 llvm::Constant::getNullValue(type), "", before);
    filler->setAlignment(llvm::Align(1));
  }
  return module;
}

}  // namespace ordo::ir
