#include "ir/module.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
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

std::string oneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
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

Result<OwnedModule> parse(std::string_view bytes, std::string_view name) {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiscardValueNames(true);
  context->setDiagnosticHandler(std::make_unique<Silent>());
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()),
                                     llvm::StringRef(name.data(), name.size()));
  if (isBitcode(bytes)) {
    llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(buffer, *context);
    if (!module) {
      return fail(ErrorCode::kCorrupt, "{} is not valid LLVM 22 bitcode: {}", name,
                  oneLine(llvm::toString(module.takeError())));
    }
    return OwnedModule(std::move(context), std::move(*module));
  }
  llvm::SMDiagnostic diagnostic;
  // The text parser wants a null-terminated buffer, which a view does not promise.
  const auto text = llvm::MemoryBuffer::getMemBufferCopy(buffer.getBuffer(), buffer.getBufferIdentifier());
  std::unique_ptr<llvm::Module> module = llvm::parseAssembly(text->getMemBufferRef(), diagnostic, *context);
  if (module == nullptr) {
    return fail(ErrorCode::kCorrupt, "{}:{}:{}: not valid LLVM IR: {}", name, diagnostic.getLineNo(),
                diagnostic.getColumnNo() + 1, diagnostic.getMessage().str());
  }
  return OwnedModule(std::move(context), std::move(module));
}

std::string writeBitcode(const llvm::Module& module) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::WriteBitcodeToFile(module, stream);
  return std::string(buffer.begin(), buffer.end());
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

Hash128 exportsHash(const llvm::Module& module) {
  std::vector<std::string> exports;
  for (const llvm::GlobalValue& value : module.global_values()) {
    // available_externally is a copy of somebody else's definition; dropping it changes nothing.
    if (value.isDeclaration() || value.hasLocalLinkage() || value.hasAvailableExternallyLinkage()) continue;
    // A linkonce definition may be dropped when nobody here uses it: every user has its own.
    if (value.hasLinkOnceLinkage()) continue;
    exports.push_back((value.getName() + "|" + llvm::Twine(static_cast<int>(value.getLinkage())) + "|" +
                       llvm::Twine(llvm::isa<llvm::GlobalVariable>(value) ? 'v' : 'f')).str());
  }
  std::sort(exports.begin(), exports.end());
  std::string all;
  for (const std::string& name : exports) (all += name) += '\n';
  return hashBytes(all);
}

}  // namespace ordo::ir
