// parse() reads text by way of bitcode, so that there is one way in that drops local names. writeBitcode()
// leaves use lists out and gives intrinsics, for as long as it writes, the attributes that the reader would:
// what remains is what hashes are of. An Interface is two sorted lists of names, of what a module defines for
// others and of what it wants from them, and compare() takes their differences; what each list leaves out,
// and why, is at offersOf() and wantsOf(). parse() also keeps LLVM from printing messages and from exiting.
#include "llvm/ir/module.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace ordo::ir {
namespace {

bool isBitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B");
}

// Passes report remarks and warnings through the context; without a handler they go to stderr,
// and an error would end the process.
struct Silent final : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo&) override { return true; }
};

// IR without a data layout gets that of its triple, as in opt and clang.
std::optional<std::string> layoutOf(llvm::StringRef triple, llvm::StringRef layout) {
  if (!layout.empty() || triple.empty()) return std::nullopt;
  return llvm::Triple(triple).computeDataLayout();
}

std::string oneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string write(const llvm::Module& module, bool use_lists) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::WriteBitcodeToFile(module, stream, use_lists);
  return std::string(buffer.begin(), buffer.end());
}

std::vector<std::string> offersOf(const llvm::Module& module) {
  std::vector<std::string> offers;
  for (const llvm::GlobalValue& value : module.global_values()) {
    // available_externally is a copy of somebody else's definition, and a linkonce definition is
    // repeated by each of its users: dropping either takes nothing from anybody.
    if (value.isDeclaration() || value.hasLocalLinkage() || value.hasAvailableExternallyLinkage() ||
        value.hasLinkOnceLinkage() || value.getName().starts_with("llvm.")) {
      continue;
    }
    // An alias may stand in for a function of the same name (mergefunc), so its kind does not count.
    offers.push_back((value.getName() + (value.hasWeakLinkage() ? " (weak)" : "")).str());
  }
  std::sort(offers.begin(), offers.end());
  return offers;
}

// Whether the body of `value` is only there to be inlined, at every level of optimisation: nobody
// need have emitted it. std::allocator<char>::allocate of libstdc++ is such a function.
bool isOnlyForInlining(const llvm::GlobalValue& value) {
  const auto* function = llvm::dyn_cast<llvm::Function>(&value);
  return function != nullptr && function->hasAvailableExternallyLinkage() &&
         function->hasFnAttribute(llvm::Attribute::AlwaysInline) && !function->hasAddressTaken();
}

bool isElsewhere(const llvm::GlobalValue& value) {
  return value.isDeclaration() || value.hasAvailableExternallyLinkage();
}

// Whether something that an object is made of refers to `value`.
bool isUsedByCode(const llvm::Value& value) {
  std::vector<const llvm::Value*> pending{&value};
  llvm::SmallPtrSet<const llvm::Value*, 8> seen;
  while (!pending.empty()) {
    const llvm::Value* const used = pending.back();
    pending.pop_back();
    for (const llvm::User* user : used->users()) {
      const auto* global = llvm::dyn_cast<llvm::GlobalValue>(user);
      if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
        global = instruction->getFunction();
      if (global != nullptr && !isElsewhere(*global)) return true;
      if (global == nullptr && seen.insert(user).second) pending.push_back(user);  // part of a constant
    }
  }
  return false;
}

// What `module` refers to and leaves to the linker, which finds available_externally definitions elsewhere.
// Its copies of other modules' code may bring in what they refer to; not what is only for inlining.
std::vector<std::string> mayWant(const llvm::Module& module) {
  std::vector<std::string> wants;
  for (const llvm::GlobalValue& value : module.global_values()) {
    if (isElsewhere(value) && !value.use_empty() && !isOnlyForInlining(value))
      wants.push_back(value.getName().str());
  }
  std::sort(wants.begin(), wants.end());
  return wants;
}

// The symbols that its object has to find in others.
std::vector<std::string> wantsOf(const llvm::Module& module) {
  std::vector<std::string> wants;
  for (const llvm::GlobalValue& value : module.global_values()) {
    if (isElsewhere(value) && !value.getName().starts_with("llvm.") && isUsedByCode(value))
      wants.push_back(value.getName().str());
  }
  std::sort(wants.begin(), wants.end());
  return wants;
}

// Whether it is a function that LLVM itself may introduce calls of.
bool isOfLibrary(const llvm::TargetLibraryInfoImpl& library, llvm::StringRef name) {
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}

}  // namespace

OwnedModule::OwnedModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module)
    : context_(std::move(context)), module_(std::move(module)) {}
OwnedModule::OwnedModule(OwnedModule&&) noexcept = default;
OwnedModule& OwnedModule::operator=(OwnedModule&& other) noexcept {
  module_ = std::move(other.module_);  // first: the old module dies while its context lives
  context_ = std::move(other.context_);
  return *this;
}
OwnedModule::~OwnedModule() = default;

std::pair<std::unique_ptr<llvm::LLVMContext>, std::unique_ptr<llvm::Module>> OwnedModule::take() && {
  return {std::move(context_), std::move(module_)};
}

Result<OwnedModule> parse(std::string_view bytes, std::string_view name) {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandler(std::make_unique<Silent>());
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()),
                                     llvm::StringRef(name.data(), name.size()));
  if (isBitcode(bytes)) {
    context->setDiscardValueNames(true);
    llvm::Expected<std::unique_ptr<llvm::Module>> module =
        llvm::parseBitcodeFile(buffer, *context, llvm::ParserCallbacks(layoutOf));
    if (!module) {
      return fail(ErrorCode::kCorrupt, "{} is not valid LLVM 22 bitcode: {}", name,
                  oneLine(llvm::toString(module.takeError())));
    }
    // As opt does: without a layout all types would have LLVM's default sizes, and local symbols no prefix.
    if ((*module)->getDataLayoutStr().empty())
      (*module)->setDataLayout((*module)->getTargetTriple().computeDataLayout());
    return OwnedModule(std::move(context), std::move(*module));
  }
  llvm::SMDiagnostic diagnostic;
  // The text parser wants a null-terminated buffer, which a view does not promise.
  const auto text = llvm::MemoryBuffer::getMemBufferCopy(buffer.getBuffer(), buffer.getBufferIdentifier());
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssembly(text->getMemBufferRef(), diagnostic, *context, nullptr, layoutOf);
  if (module == nullptr) {
    return fail(ErrorCode::kCorrupt, "{}:{}:{}: not valid LLVM IR: {}", name, diagnostic.getLineNo(),
                diagnostic.getColumnNo() + 1, diagnostic.getMessage().str());
  }
  // The text parser needs local names, so they go by way of bitcode.
  return parse(writeExactBitcode(*module), name);
}

std::string writeBitcode(const llvm::Module& module) {
  // Passes give attributes to intrinsics that the reader does not: it sets them all anew. Written as
  // they will be read, a state and its copy have the same bytes, and with them the same hash.
  std::vector<std::pair<llvm::Function*, llvm::AttributeList>> given;
  for (const llvm::Function& function : module) {
    if (!function.isIntrinsic()) continue;
    auto& intrinsic = const_cast<llvm::Function&>(function);  // restored below
    given.emplace_back(&intrinsic, function.getAttributes());
    intrinsic.setAttributes(llvm::Intrinsic::getAttributes(module.getContext(), function.getIntrinsicID(),
                                                           function.getFunctionType()));
  }
  std::string bitcode = write(module, /*use_lists=*/false);
  for (const auto& [intrinsic, attributes] : given) intrinsic->setAttributes(attributes);
  return bitcode;
}

std::string writeExactBitcode(const llvm::Module& module) { return write(module, /*use_lists=*/true); }

Result<Hash128> hashAsRead(const llvm::Module& module) {
  ORDO_TRY_ASSIGN(const OwnedModule read, parse(writeExactBitcode(module), module.getName().str()));
  return hashBitcode(writeBitcode(*read));
}

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

std::string verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream)) return {};
  return text.empty() ? "the verifier rejects the module" : oneLine(text.substr(0, 400));
}

bool mustInline(const llvm::Module& module) {
  const llvm::TargetLibraryInfoImpl library(module.getTargetTriple());
  return std::any_of(module.begin(), module.end(), [&](const llvm::Function& function) {
    return isOnlyForInlining(function) && isUsedByCode(function) && !isOfLibrary(library, function.getName());
  });
}

Interface::Interface(const llvm::Module& module) : offers_(offersOf(module)), wants_(mayWant(module)) {}

std::string Interface::compare(const llvm::Module& changed) const {
  std::vector<std::string> difference;
  const std::vector<std::string> offers = offersOf(changed);
  std::set_difference(offers_.begin(), offers_.end(), offers.begin(), offers.end(),
                      std::back_inserter(difference));
  if (!difference.empty())
    return fmt::format("the definition of {} is gone or has another linkage", difference.front());
  std::set_difference(offers.begin(), offers.end(), offers_.begin(), offers_.end(),
                      std::back_inserter(difference));
  if (!difference.empty()) return fmt::format("{} was not defined before", difference.front());

  // A call that is still to be inlined is a symbol that need not exist; clang never leaves one.
  const std::vector<std::string> wants = wantsOf(changed);
  std::set_difference(wants.begin(), wants.end(), wants_.begin(), wants_.end(),
                      std::back_inserter(difference));
  const llvm::TargetLibraryInfoImpl library(changed.getTargetTriple());
  for (const std::string& name : difference) {
    if (!isOfLibrary(library, name)) return fmt::format("{} is needed and nothing defines it", name);
  }
  return {};
}

}  // namespace ordo::ir
