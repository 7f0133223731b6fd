// libordo-plugin.so, for stock `clang-22 -fpass-plugin=`, `opt-22 -load-pass-plugin` and `ld.lld-22
// --load-pass-plugin`: applies a recipe in place of the pipeline.
//
// A plugin cannot take a pipeline away. But it can be first in it, do the work there, and then say of each
// pass that may be skipped that it is. What must run still does: `always-inline`, coroutines, verifiers. And
// it is asked once more before code is made, where it may hand over the code itself.
//
// In opt it also makes our own passes known (llvm/actions/pipeline.h), which is how anyone repeats a recipe
// that has some.
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

#include "llvm/actions/pipeline.h"
#include "llvm/ir/type_tests.h"
#include "plugin/advising.h"
#include "plugin/carry_out.h"
#include "plugin/decision.h"
#include "plugin/one_object.h"
#include "plugin/rival.h"

namespace ordo::plugin {
namespace {

// The code of modules that are on their way through passes which do nothing any more.
class Finished {
 public:
  void put(const llvm::Module& module, std::string object) {
    const std::lock_guard lock(mutex_);
    objects_[&module] = std::move(object);
  }
  std::optional<std::string> take(const llvm::Module& module) {
    const std::lock_guard lock(mutex_);
    const auto node = objects_.extract(&module);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
  }

 private:
  std::mutex mutex_;
  std::map<const llvm::Module*, std::string> objects_;
};

Finished& finished() {
  static Finished instance;
  return instance;
}

// The module that a recipe has gone over, of a process with no other.
const llvm::Module* g_carried_out = nullptr;

// Passes on what the compiler reports, and tells the drop-in compiler that there was something: an object
// from its cache would keep silent about it.
class Overheard final : public llvm::DiagnosticHandler {
 public:
  explicit Overheard(std::unique_ptr<llvm::DiagnosticHandler> next) : next_(std::move(next)) {
    if (next_->isAnyRemarkEnabled()) saySaid();
  }

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error || info.getSeverity() == llvm::DS_Warning) saySaid();
    const bool handled = next_->handleDiagnostics(info);
    HasErrors = next_->HasErrors;
    return handled;
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return next_->isAnalysisRemarkEnabled(pass);
  }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return next_->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
    return next_->isPassedOptRemarkEnabled(pass);
  }
  bool isAnyRemarkEnabled() const override { return next_->isAnyRemarkEnabled(); }

 private:
  std::unique_ptr<llvm::DiagnosticHandler> next_;
};

// Nothing may come of a module that is half done: the drop-in compiler compiles it anew, and who uses the
// plugin alone reads why.
[[noreturn]] void giveUp(const llvm::Module& module, const Error& error) {
  sayFailed(error.message);
  if (!isListenedTo())
    llvm::errs() << "ordo: " << module.getSourceFileName() << ": " << error.message << '\n';
  llvm::sys::RunInterruptHandlers();  // the unfinished object goes
  std::_Exit(EXIT_FAILURE);
}

// Does with the module what it is told. Whether its pipeline has nothing left to do. `alone`: no other module
// goes through this process. `gated`: the pipeline ends at the gate of a copy, and in nothing for a link.
bool direct(llvm::Module& module, bool alone, bool gated) {
  if (isListenedTo()) {
    llvm::LLVMContext& context = module.getContext();
    // As it was: clang's handler sorts out what nobody has asked for, lld's leaves that to the context.
    context.setDiagnosticHandler(std::make_unique<Overheard>(context.getDiagnosticHandler()),
                                 /*RespectFilters=*/!alone);
  }
  Result<Decision> decision = decide(module, alone);
  if (!decision) giveUp(module, decision.error());
  if (const auto* order = std::get_if<recipe::Order>(&*decision)) {
    if (!alone && ir::hasTypeTests(module)) {
      llvm::errs() << "ordo: " << module.getSourceFileName()
                   << " has type tests (-fsanitize=cfi, -fwhole-program-vtables), which are the link's own "
                      "passes' to resolve; compiled without its recipe\n";
      return false;
    }
    if (const Status done = carryOut(module, *order, alone); !done) giveUp(module, done.error());
    if (alone) g_carried_out = &module;
  } else if (auto* object = std::get_if<FinishedObject>(&*decision)) {
    finished().put(module, std::move(object->bytes));
  } else if (const auto* rival = std::get_if<Rival>(&*decision)) {
    if (!gated || startRival(module) != 0) {
      if (gated) startAdvisedRace(module);
      return false;
    }
    carryOutAsRival(module, rival->order);
  } else if (gated) {
    startAdvisedRace(module);
  }
  return !std::holds_alternative<Leave>(*decision);
}

// How far a pipeline is.
struct Progress {
  bool due = false;       // the first pass is to wait until the module has been directed
  bool replaced = false;  // nothing is left to do
  bool gated = false;     // it ends at the gate
  bool for_link = false;
};

class Director : public llvm::PassInfoMixin<Director> {
 public:
  // `alone`: no other module goes through this process.
  Director(std::shared_ptr<Progress> progress, bool alone) : progress_(std::move(progress)), alone_(alone) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    progress_->replaced = direct(module, alone_, alone_ && progress_->gated && !progress_->for_link);
    return progress_->replaced ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

 private:
  std::shared_ptr<Progress> progress_;
  bool alone_;
};

class Gate : public llvm::PassInfoMixin<Gate> {
 public:
  llvm::PreservedAnalyses run(llvm::Module&, llvm::ModuleAnalysisManager&) {
    waitAtGate();
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// A pass builder makes one pipeline, for one module. Which of the beginnings that has depends on the
// pipeline: the usual one, that of a whole program in a full LTO link, that of one module in a ThinLTO link.
// What is compiled for a link begins twice, as two different modules: a recipe is for one of them.
void addTo(llvm::PassBuilder& builder) {
  actions::addOwnPasses(builder);
  builder.registerAnalysisRegistrationCallback(addAdvisors);
  addLoopAdvisors(builder);
  llvm::PassInstrumentationCallbacks* const callbacks = builder.getPassInstrumentationCallbacks();
  if (callbacks == nullptr) return;  // nothing could be skipped
  const auto progress = std::make_shared<Progress>();
  const auto direct_first = [progress](llvm::ModulePassManager& passes, llvm::OptimizationLevel level,
                                       bool alone) {
    if (level != llvm::OptimizationLevel::O0) passes.addPass(Director(progress, alone));
  };
  builder.registerPipelineStartEPCallback(
      [=](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
        direct_first(passes, level, /*alone=*/true);
      });
  builder.registerFullLinkTimeOptimizationEarlyEPCallback(
      [=](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
        direct_first(passes, level, /*alone=*/false);
      });
  // A ThinLTO link has passes before the first place for ours, so the first of them waits.
  builder.registerPipelineEarlySimplificationEPCallback(
      [=](llvm::ModulePassManager&, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase phase) {
        progress->due =
            phase == llvm::ThinOrFullLTOPhase::ThinLTOPostLink && level != llvm::OptimizationLevel::O0;
      });
  builder.registerOptimizerLastEPCallback(
      [=](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase phase) {
        progress->for_link |= phase != llvm::ThinOrFullLTOPhase::None;
        progress->gated = true;
        passes.addPass(Gate());
      });
  callbacks->registerShouldRunOptionalPassCallback([progress](llvm::StringRef, llvm::Any unit) {
    if (const auto* module = llvm::any_cast<const llvm::Module*>(&unit); module != nullptr && progress->due) {
      progress->due = false;
      // No pass has seen it yet, so nobody knows anything of it that could get wrong.
      progress->replaced = direct(const_cast<llvm::Module&>(**module), /*alone=*/false, /*gated=*/false);
    }
    return !progress->replaced;
  });
}

bool writeFinished(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type,
                   llvm::raw_pwrite_stream& out) {
  if (isRival()) finishRival(emitOfCopy(module, machine));
  const bool alone = isObjectAlone(machine, type);
  openGates(alone);
  if (alone && writeAdvised(module, machine, g_carried_out == &module, out)) return true;
  const std::optional<std::string> object = finished().take(module);
  if (!object || type != llvm::CodeGenFileType::ObjectFile) return false;
  out << *object;
  return true;
}

}  // namespace
}  // namespace ordo::plugin

extern "C" llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  ordo::plugin::sayHello();
  if (const ordo::Status read = ordo::plugin::readAdvisors(); !read) {
    ordo::plugin::sayFailed(read.error().message);
    llvm::errs() << "ordo: " << read.error().message << '\n';
    std::_Exit(EXIT_FAILURE);
  }
  return {LLVM_PLUGIN_API_VERSION, "ordo", "1", ordo::plugin::addTo, ordo::plugin::writeFinished};
}
