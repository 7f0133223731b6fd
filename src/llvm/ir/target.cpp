// Objects are those of clang because its choices are repeated here: options in makeTargetMachine(), what its
// driver adds in finish(), the passes before the target's own in emit(). LLVM reports errors of code
// generation to the module's context and goes on, so emit() listens there (Listening) and drops the code if
// there were any. A machine may be shared by many modules; one that would leave traces in it is compiled by a
// fresh one.
#include "llvm/ir/target.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Mangler.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/COFF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/MachO.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace ordo::ir {

void initialiseTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();  // inline assembly
  });
}

namespace {

std::optional<llvm::CodeModel::Model> codeModel(std::string_view name) {
  if (name == "tiny") return llvm::CodeModel::Tiny;
  if (name == "small") return llvm::CodeModel::Small;
  if (name == "kernel") return llvm::CodeModel::Kernel;
  if (name == "medium") return llvm::CodeModel::Medium;
  if (name == "large") return llvm::CodeModel::Large;
  return std::nullopt;
}

// Settings that createTargetMachine() does not take.
void finish(llvm::TargetMachine& machine) {
  // clang's driver adds -mlarge-data-threshold=65536 to -mcmodel=medium.
  if (machine.getCodeModel() == llvm::CodeModel::Medium) machine.setLargeDataThreshold(65536);
}

// A machine with the settings of `machine` and no past.
std::unique_ptr<llvm::TargetMachine> freshMachine(const llvm::TargetMachine& machine) {
  std::unique_ptr<llvm::TargetMachine> fresh(machine.getTarget().createTargetMachine(
      machine.getTargetTriple(), machine.getTargetCPU(), machine.getTargetFeatureString(), machine.Options,
      machine.getRelocationModel(), machine.getCodeModel(), machine.getOptLevel()));
  finish(*fresh);
  return fresh;
}

// Puts the first complaint that LLVM reports in a context into a string, for as long as this lives; whoever
// listened before hears nothing meanwhile.
class Listening {
 public:
  Listening(llvm::LLVMContext& context, Refused refused, std::string& complaint)
      : context_(context), before_(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<Listener>(refused, complaint));
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() { context_.setDiagnosticHandler(std::move(before_)); }

 private:
  struct Listener final : llvm::DiagnosticHandler {
    Listener(Refused what, std::string& text) : refused(what), complaint(text) {}
    bool handleDiagnostics(const llvm::DiagnosticInfo& information) override {
      const llvm::DiagnosticSeverity severity = information.getSeverity();
      const bool counts =
          severity == llvm::DS_Error || (severity == llvm::DS_Warning && refused == Refused::kWarnings);
      if (!counts || !complaint.empty()) return true;
      llvm::raw_string_ostream stream(complaint);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      information.print(printer);
      std::replace(complaint.begin(), complaint.end(), '\n', ' ');
      return true;
    }
    Refused refused;
    std::string& complaint;
  };

  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::DiagnosticHandler> before_;
};

// A layout without its non-integral address spaces: they are the passes' business (Julia has some), and no
// target has any of its own.
std::string_view withoutNonIntegral(std::string_view layout) { return layout.substr(0, layout.find("-ni:")); }

// Why code of `module` cannot be made by `machine`, or "".
std::string whyUnfit(const llvm::Module& module, const llvm::TargetMachine& machine) {
  const std::string own = machine.createDataLayout().getStringRepresentation();
  if (withoutNonIntegral(module.getDataLayoutStr()) != withoutNonIntegral(own)) {
    return fmt::format("the data layout of the module, \"{}\", is not that of {}, \"{}\"",
                       module.getDataLayoutStr(), module.getTargetTriple().str(), own);
  }
  // LLVM ends the process if they differ.
  const auto* abi = llvm::dyn_cast_or_null<llvm::MDString>(module.getModuleFlag("target-abi"));
  const llvm::StringRef asked = machine.Options.MCOptions.getABIName();
  if (abi != nullptr && !asked.empty() && abi->getString() != asked) {
    return fmt::format(
        "the module has the calling convention {}, and the flags ask for {}; say -mabi={} and the -march= "
        "that it was made with",
        abi->getString().str(), asked.str(), abi->getString().str());
  }
  return "";
}

}  // namespace

Result<std::unique_ptr<llvm::TargetMachine>> makeTargetMachine(const llvm::Module& module,
                                                               const TargetOptions& options) {
  initialiseTargets();
  const llvm::Triple& triple = module.getTargetTriple();
  if (triple.getArch() == llvm::Triple::UnknownArch) {
    return fail(ErrorCode::kUnsupported,
                "the module names no target; add a line such as 'target triple = \"{}\"'",
                llvm::sys::getDefaultTargetTriple());
  }
  std::string reason;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (target == nullptr) {
    return fail(ErrorCode::kUnsupported, "the program is for {}, for which this LLVM makes no code ({})",
                triple.str(), reason);
  }
  llvm::TargetOptions target_options;
  target_options.FunctionSections = options.function_sections;
  target_options.DataSections = options.data_sections;
  target_options.UseInitArray = true;
  target_options.EmitAddrsig = true;
  target_options.MCOptions.AsmVerbose = true;
  target_options.DebuggerTuning = llvm::DebuggerKind::GDB;  // only matters with -g, as the next
  target_options.EmitCallSiteInfo = options.level > 0;
  target_options.EnableTLSDESC = options.tlsdesc;
  target_options.EmulatedTLS = triple.hasDefaultEmulatedTLS();
  target_options.MCOptions.ABIName = options.abi;
  if (options.float_abi == "hard") target_options.FloatABIType = llvm::FloatABI::Hard;
  if (options.float_abi == "soft" || options.float_abi == "softfp")
    target_options.FloatABIType = llvm::FloatABI::Soft;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, options.cpu, options.features, target_options,
      options.relocation == "static" ? llvm::Reloc::Static : llvm::Reloc::PIC_, codeModel(options.code_model),
      static_cast<llvm::CodeGenOptLevel>(options.level)));
  if (machine == nullptr)
    return fail(ErrorCode::kUnsupported, "LLVM has no code generator for {}", triple.str());
  if (const std::string why = whyUnfit(module, *machine); !why.empty())
    return fail(ErrorCode::kUnsupported, "{}", why);
  finish(*machine);
  return machine;
}

Result<std::string> emit(llvm::Module& module, llvm::TargetMachine& borrowed, EmitKind kind,
                         Refused refused) {
  // The lowering of a machine remembers the addresses of what @llvm.used keeps and never forgets
  // them: globals of a later module at the same addresses would get sections of their own. Such a
  // module does not get to use the shared machine.
  const bool keeps = module.getNamedGlobal("llvm.used") != nullptr;
  const std::unique_ptr<llvm::TargetMachine> own = keeps ? freshMachine(borrowed) : nullptr;
  llvm::TargetMachine& machine = keeps ? *own : borrowed;

  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  // What clang's BackendUtil adds: cost model, library calls, then the target's own pipeline.
  llvm::legacy::PassManager passes;
  passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(new llvm::TargetLibraryInfoWrapperPass(llvm::TargetLibraryInfoImpl(module.getTargetTriple())));
  const auto type =
      kind == EmitKind::kObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true)) {
    return fail(ErrorCode::kUnsupported, "LLVM cannot emit objects for {}", module.getTargetTriple().str());
  }
  std::string complaint;
  {
    const Listening listening(module.getContext(), refused, complaint);
    passes.run(module);
  }
  // The code generator goes on after an error, and what it writes then has no meaning.
  if (!complaint.empty()) return fail(ErrorCode::kUnsupported, "LLVM makes no code of it: {}", complaint);
  return std::string(buffer.begin(), buffer.end());
}

namespace {

bool isUnwind(llvm::StringRef section) {
  constexpr std::string_view kNames[] = {
      ".eh_frame", ".gcc_except_table", ".ARM.exidx",      ".ARM.extab", ".pdata",
      ".xdata",    "__eh_frame",        "__gcc_except_tab"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return section.starts_with(name); });
}

// Whether llvm-size has the section in its text column, or in COFF should have.
bool isText(const llvm::object::SectionRef& section) {
  const llvm::object::ObjectFile& file = *section.getObject();
  if (const auto* macho = llvm::dyn_cast<llvm::object::MachOObjectFile>(&file))
    return macho->getSectionFinalSegmentName(section.getRawDataRefImpl()) == "__TEXT";
  if (const auto* coff = llvm::dyn_cast<llvm::object::COFFObjectFile>(&file)) {
    const std::uint32_t flags = coff->getCOFFSection(section)->Characteristics;
    constexpr std::uint32_t kNotLoaded = llvm::COFF::IMAGE_SCN_LNK_INFO | llvm::COFF::IMAGE_SCN_LNK_REMOVE |
                                         llvm::COFF::IMAGE_SCN_MEM_DISCARDABLE;
    return (flags & (llvm::COFF::IMAGE_SCN_MEM_WRITE | kNotLoaded)) == 0;
  }
  return section.isBerkeleyText();
}

bool isData(const llvm::object::SectionRef& section) {
  const llvm::object::ObjectFile& file = *section.getObject();
  if (const auto* macho = llvm::dyn_cast<llvm::object::MachOObjectFile>(&file))
    return macho->getSectionFinalSegmentName(section.getRawDataRefImpl()).starts_with("__DATA") &&
           !section.isBSS();
  if (const auto* coff = llvm::dyn_cast<llvm::object::COFFObjectFile>(&file))
    return (coff->getCOFFSection(section)->Characteristics & llvm::COFF::IMAGE_SCN_MEM_WRITE) != 0 &&
           !section.isBSS();
  return section.isBerkeleyData();
}

}  // namespace

Result<ObjectSizes> objectSizes(std::string_view object) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "object");
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file) return fail(ErrorCode::kCorrupt, "not an object file: {}", llvm::toString(file.takeError()));
  ObjectSizes sizes;
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    if (isText(section)) {
      sizes.text += section.getSize();
      llvm::Expected<llvm::StringRef> name = section.getName();
      if (!name) return fail(ErrorCode::kCorrupt, "not an object file: {}", llvm::toString(name.takeError()));
      (section.isText() ? sizes.code : isUnwind(*name) ? sizes.unwind : sizes.rodata) += section.getSize();
    } else if (isData(section)) {
      sizes.data += section.getSize();
    } else if (section.isBSS()) {
      sizes.bss += section.getSize();
    }
  }
  return sizes;
}

std::map<std::string, std::uint64_t> functionBytes(std::string_view object) {
  std::map<std::string, std::uint64_t> bytes;
  const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "object");
  auto file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file) {
    llvm::consumeError(file.takeError());
    return bytes;
  }
  const auto* const elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->get());
  if (elf == nullptr) return bytes;
  for (const llvm::object::ELFSymbolRef symbol : elf->symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_FUNC && symbol.getELFType() != llvm::ELF::STT_GNU_IFUNC)
      continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (name)
      bytes.emplace(name->str(), symbol.getSize());
    else
      llvm::consumeError(name.takeError());
  }
  return bytes;
}

std::string symbolOf(const llvm::Function& function) {
  llvm::SmallString<64> symbol;
  llvm::Mangler().getNameWithPrefix(symbol, &function, /*CannotUsePrivateLabel=*/false);
  return symbol.str().str();
}

}  // namespace ordo::ir
