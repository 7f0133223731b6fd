#include "plugin/one_object.h"

#include <dlfcn.h>
#include <link.h>
#include <llvm/ADT/Statistic.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TimeProfiler.h>
#include <llvm/Target/TargetMachine.h>

namespace ordo::plugin {
namespace {

// Other options of LLVM's than those of our own passes: they print, dump graphs, write logs of their own.
bool areOptionsGiven() {
  for (const auto& [name, option] : llvm::cl::getRegisteredOptions())
    if (option->getNumOccurrences() > 0 && !name.starts_with("ordo-")) return true;
  return false;
}

// A plugin that is not this one.
bool isPluginBeside() {
  constexpr const char* kEntry = "llvmGetPassPluginInfo";
  Dl_info own{};
  if (::dladdr(reinterpret_cast<void*>(&isPluginBeside), &own) == 0) return true;
  return ::dl_iterate_phdr(
             [](dl_phdr_info* library, std::size_t, void* base) {
               if (reinterpret_cast<void*>(library->dlpi_addr) == base || *library->dlpi_name == '\0')
                 return 0;
               void* const handle = ::dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
               if (handle == nullptr) return 0;
               const bool is_plugin = ::dlsym(handle, kEntry) != nullptr;
               ::dlclose(handle);
               return is_plugin ? 1 : 0;
             },
             own.dli_fbase) != 0;
}

}  // namespace

bool arePassesSilent(const llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  const bool remarks = context.getMainRemarkStreamer() != nullptr ||
                       context.getLLVMRemarkStreamer() != nullptr ||
                       context.getDiagHandlerPtr()->isAnyRemarkEnabled();
  const bool coverage = module.getNamedMetadata("llvm.gcov") != nullptr;  // .gcno
  const bool figures = llvm::TimePassesIsEnabled || llvm::AreStatisticsEnabled() ||
                       llvm::getTimeTraceProfilerInstance() != nullptr;
  return !remarks && !coverage && !figures && !areOptionsGiven() && !isPluginBeside();
}

bool isObjectAlone(const llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
  const llvm::TargetOptions& options = machine.Options;
  return type == llvm::CodeGenFileType::ObjectFile && options.MCOptions.SplitDwarfFile.empty() &&
         options.StackUsageOutput.empty() && options.MCOptions.AsSecureLogFile.empty();
}

}  // namespace ordo::plugin
