// Image::link() prepares the module (entries.h), compiles it with LLVM's LLJIT, and looks all addresses up at
// once. Symbols of this process are out of reach: what the module does not define is a callback, a function
// of library.h, a helper of code generators or what the caller has for it; the rest is unmodelled(), which
// ends the run. Sections notes where the linker puts writable data; keep() copies all of it, and restore()
// puts it back.
#include "llvm/execution/image.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/IR/Module.h>

#include <cstring>

#include "llvm/execution/callbacks.h"
#include "llvm/execution/entries.h"
#include "llvm/execution/library.h"
#include "llvm/ir/target.h"

// Integer arithmetic of 128 bits, which code generators call. Only their addresses are of use here.
extern "C" {
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
}

namespace ordo::execution {
namespace {

// Remembers where variables are.
class Sections final : public llvm::SectionMemoryManager {
 public:
  explicit Sections(std::vector<std::pair<std::byte*, std::size_t>>& writable) : writable_(writable) {}

  std::uint8_t* allocateDataSection(std::uintptr_t size, unsigned align, unsigned id, llvm::StringRef name,
                                    bool read_only) override {
    std::uint8_t* place = SectionMemoryManager::allocateDataSection(size, align, id, name, read_only);
    if (!read_only && place != nullptr) writable_.emplace_back(reinterpret_cast<std::byte*>(place), size);
    return place;
  }
  // Nothing unwinds through this code.
  void registerEHFrames(std::uint8_t*, std::uint64_t, std::size_t) override {}
  void deregisterEHFrames() override {}

 private:
  std::vector<std::pair<std::byte*, std::size_t>>& writable_;
};

tl::unexpected<Error> refused(llvm::Error error) {
  return fail(ErrorCode::kUnsupported, "cannot be compiled into a process: {}",
              llvm::toString(std::move(error)));
}

void unmodelled() { Machine::current().giveUp("calls a function that is not modelled"); }

}  // namespace

struct Image::Jit {
  std::vector<std::pair<std::byte*, std::size_t>> writable;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

Image::Image() : jit_(std::make_unique<Jit>()) {}
Image::~Image() = default;

Result<std::unique_ptr<Image>> Image::link(ir::OwnedModule module, const ImageOptions& options) {
  ir::initialiseTargets();
  std::unique_ptr<Image> image(new Image);
  const Prepared prepared =
      prepare(*module, [&](const std::string& name) { return options.foreign_function(name) != nullptr; });

  llvm::orc::JITTargetMachineBuilder machine(module->getTargetTriple());
  machine.setRelocationModel(llvm::Reloc::PIC_);
  machine.setCodeModel(llvm::CodeModel::Small);
  machine.setCodeGenOptLevel(static_cast<llvm::CodeGenOptLevel>(options.level));
  auto jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(machine))
          .setDataLayout(module->getDataLayout())
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
          .setObjectLinkingLayerCreator([&](llvm::orc::ExecutionSession& session)
                                            -> llvm::Expected<std::unique_ptr<llvm::orc::ObjectLayer>> {
            return std::make_unique<llvm::orc::RTDyldObjectLinkingLayer>(
                session, [&sections = image->jit_->writable](const llvm::MemoryBuffer&) {
                  return std::make_unique<Sections>(sections);
                });
          })
          .create();
  if (!jit) return refused(jit.takeError());
  image->jit_->jit = std::move(*jit);
  llvm::orc::LLJIT& lljit = *image->jit_->jit;

  // Everything that the module may name: callbacks, the library, and places for the variables of others.
  llvm::orc::SymbolMap symbols;
  const auto define = [&](llvm::StringRef name, void* address) {
    symbols[lljit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                            llvm::JITSymbolFlags::Exported};
  };
  for (const auto& [name, address] : callbacks()) define(name, address);
  for (const LibraryFunction& function : library()) {
    const llvm::Function* own = module->getFunction(function.name);
    if (own == nullptr || own->isDeclaration())
      define(function.name, options.watched ? function.watched : function.plain);
  }
  define("__divti3", reinterpret_cast<void*>(__divti3));
  define("__modti3", reinterpret_cast<void*>(__modti3));
  define("__udivti3", reinterpret_cast<void*>(__udivti3));
  define("__umodti3", reinterpret_cast<void*>(__umodti3));
  for (const llvm::GlobalVariable& variable : module->globals()) {
    if (variable.isDeclaration())
      define(variable.getName(), options.foreign_variable(variable.getName().str()));
  }
  for (const llvm::Function& function : *module) {
    if (!function.isDeclaration()) continue;
    if (void* address = options.foreign_function(function.getName().str()))
      define(function.getName(), address);
  }
  std::vector<std::string> wanted;
  for (const Prepared::Named& function : prepared.functions) wanted.push_back(function.name);
  for (const Prepared::Named& variable : prepared.variables) wanted.push_back(variable.name);
  for (const std::string& entry : prepared.entries) wanted.push_back("ordo.entry." + entry);

  llvm::orc::JITDylib& dylib = lljit.getMainJITDylib();
  if (auto error = dylib.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return refused(std::move(error));
  // Code generators may call what no module named.
  class Rest final : public llvm::orc::DefinitionGenerator {
    llvm::Error tryToGenerate(llvm::orc::LookupState&, llvm::orc::LookupKind, llvm::orc::JITDylib& library,
                              llvm::orc::JITDylibLookupFlags,
                              const llvm::orc::SymbolLookupSet& names) override {
      llvm::orc::SymbolMap all;
      for (const auto& [name, flags] : names)
        all[name] = {llvm::orc::ExecutorAddr::fromPtr(reinterpret_cast<void*>(unmodelled)),
                     llvm::JITSymbolFlags::Exported};
      return library.define(llvm::orc::absoluteSymbols(std::move(all)));
    }
  };
  dylib.addGenerator(std::make_unique<Rest>());
  auto [context, owned] = std::move(module).take();
  if (auto error = lljit.addIRModule({std::move(owned), llvm::orc::ThreadSafeContext(std::move(context))}))
    return refused(std::move(error));

  std::map<std::string, std::uintptr_t> addresses;
  for (const std::string& name : wanted) {
    auto address = lljit.lookup(name);
    if (!address) return refused(address.takeError());
    addresses[name] = address->getValue();
  }
  for (const Prepared::Named& function : prepared.functions) {
    image->symbols_.add(addresses[function.name], function.size, function.name, function.visible, true);
    image->functions_[function.name] = reinterpret_cast<void*>(addresses[function.name]);
  }
  for (const Prepared::Named& variable : prepared.variables) {
    image->symbols_.add(addresses[variable.name], variable.size, variable.name, variable.visible, false);
    image->variables_[variable.name] = {addresses[variable.name], variable.size, variable.writable,
                                        variable.visible};
  }
  image->symbols_.sort();
  for (const std::string& entry : prepared.entries)
    image->entries_[entry] = reinterpret_cast<Machine::Entry>(addresses["ordo.entry." + entry]);
  for (const std::string& name : prepared.constructors) image->constructors_.push_back(image->entry(name));
  image->keep();
  return image;
}

Machine::Entry Image::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second;
}

void* Image::function(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

void Image::keep() {
  kept_.clear();
  for (const auto& [begin, size] : jit_->writable)
    kept_.emplace_back(begin, std::vector(begin, begin + size));
}

void Image::restore() const {
  for (const auto& [begin, bytes] : kept_) std::memcpy(begin, bytes.data(), bytes.size());
}

}  // namespace ordo::execution
