// The one file that includes PassBuilder.h (5 s of compile time).
#include "llvm/actions/pipeline.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <array>
#include <map>
#include <mutex>
#include <sstream>

#include "llvm/actions/activity.h"
#include "llvm/actions/call_hints.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/actions/loop_hints.h"
#include "llvm/actions/profile_hint.h"
#include "llvm/ir/profile.h"

namespace ordo::actions {
namespace {

// clang's own defaults differ from opt's only in `default<O*>`, whose clang form is captured as
// text; bare pipelines are the research convention and use opt's.
llvm::PipelineTuningOptions tuning() { return {}; }

// What clang's driver asks for at -Oz; opt's default<Oz> does not vectorise straight code.
llvm::PipelineTuningOptions clangAtOz() {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = true;
  tuning.LoopUnrolling = tuning.LoopInterleaving = true;
  return tuning;
}

llvm::PipelineTuningOptions clangAtO3() {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = true;
  tuning.LoopUnrolling = tuning.LoopInterleaving = true;
  return tuning;
}

struct VisitPass : llvm::PassInfoMixin<VisitPass> {
  VisitFunction visit;

  explicit VisitPass(VisitFunction v) : visit(std::move(v)) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    visit(function, analyses);
    return llvm::PreservedAnalyses::all();
  }
};

struct LoopHintPass : llvm::PassInfoMixin<LoopHintPass> {
  LoopHint hint;

  explicit LoopHintPass(const LoopHint& h) : hint(h) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return applyLoopHint(module, hint) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

struct CallHintPass : llvm::PassInfoMixin<CallHintPass> {
  CallHint hint;

  explicit CallHintPass(const CallHint& h) : hint(h) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return applyCallHint(module, hint) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

struct ProfileHintPass : llvm::PassInfoMixin<ProfileHintPass> {
  std::vector<std::int64_t> profile;

  explicit ProfileHintPass(std::vector<std::int64_t> numbers) : profile(std::move(numbers)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    if (!ir::setProfile(module, profile)) return llvm::PreservedAnalyses::all();
    // It is never invalidated: who asked before would go on without. But nobody is to find one made here,
    // since passes do other things where it is there (loop-unroll), and it is gone where a snapshot is taken
    // up.
    if (auto* known = analyses.getCachedResult<llvm::ProfileSummaryAnalysis>(module)) known->refresh();
    return llvm::PreservedAnalyses::none();
  }
};

// The level of "ordo-optimization<O3>", if that is the pass.
std::optional<llvm::OptimizationLevel> levelOf(llvm::StringRef name, llvm::StringRef pass,
                                               llvm::StringRef end = ">") {
  if (!name.consume_front(pass) || !name.consume_front("<") || !name.consume_back(end)) return std::nullopt;
  return llvm::StringSwitch<std::optional<llvm::OptimizationLevel>>(name)
      .Case("O1", llvm::OptimizationLevel::O1)
      .Case("O2", llvm::OptimizationLevel::O2)
      .Case("O3", llvm::OptimizationLevel::O3)
      .Case("Os", llvm::OptimizationLevel::Os)
      .Case("Oz", llvm::OptimizationLevel::Oz)
      .Default(std::nullopt);
}

}  // namespace

void addOwnPasses(llvm::PassBuilder& builder) {
  builder.registerPipelineParsingCallback([&builder](llvm::StringRef name, llvm::ModulePassManager& passes,
                                                     llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    const std::optional<LoopHint> hint = parseLoopHint(name);
    if (hint) passes.addPass(LoopHintPass(*hint));
    const std::optional<CallHint> call = parseCallHint(name);
    if (call) passes.addPass(CallHintPass(*call));
    std::optional<std::vector<std::int64_t>> profile = parseProfileHint(name);
    const bool has_profile = profile.has_value();
    if (profile) passes.addPass(ProfileHintPass(*std::move(profile)));
    constexpr auto kPhase = llvm::ThinOrFullLTOPhase::None;
    const auto first = levelOf(name, "ordo-simplification"), second = levelOf(name, "ordo-optimization");
    const auto scalar = levelOf(name, "ordo-optimization", ";no-slp>");
    // What vectorises at which level is private to the builder, and reading default<O3> is what sets it.
    llvm::ModulePassManager unused;
    if (first || second)
      llvm::cantFail(builder.parsePassPipeline(unused, ("default" + name.substr(name.find('<'))).str()));
    if (first) passes.addPass(builder.buildModuleSimplificationPipeline(*first, kPhase));
    if (second) passes.addPass(builder.buildModuleOptimizationPipeline(*second, kPhase));
    // One that has read nothing vectorises loops alone.
    if (scalar) passes.addPass(llvm::PassBuilder().buildModuleOptimizationPipeline(*scalar, kPhase));
    return hint || call || has_profile || first || second || scalar;
  });
}

namespace {

// A builder with its analyses, for one module.
struct Build {
  Build(llvm::Module& m, llvm::TargetMachine& target, const llvm::PipelineTuningOptions& options = tuning(),
        const std::function<void(llvm::ModuleAnalysisManager&)>& analyses = {})
      : module(m), machine(target), builder(&machine, options, std::nullopt, &callbacks) {
    // Functions marked optnone are skipped, as in opt and clang.
    optnone.registerCallbacks(callbacks);
    noteActivity(callbacks);
    functions.registerPass(
        [&] { return llvm::TargetLibraryAnalysis(llvm::TargetLibraryInfoImpl(m.getTargetTriple())); });
    addOwnPasses(builder);
    if (analyses) analyses(modules);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  llvm::Module& module;
  llvm::TargetMachine& machine;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation optnone{/*DebugLogging=*/false};
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
};

}  // namespace

struct PipelineRunner::State : Build {
  using Build::Build;
};

void runClangOz(llvm::Module& module, llvm::TargetMachine& machine,
                const std::function<void(llvm::ModuleAnalysisManager&)>& analyses) {
  Build build(module, machine, clangAtOz(), analyses);
  build.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::Oz).run(module, build.modules);
  build.modules.clear();  // as ~PipelineRunner()
}

void simplifyAtClangO3(llvm::Module& module, llvm::TargetMachine& machine,
                       const std::function<void(llvm::ModuleAnalysisManager&)>& analyses) {
  Build build(module, machine, clangAtO3(), analyses);
  build.builder.buildModuleSimplificationPipeline(llvm::OptimizationLevel::O3, llvm::ThinOrFullLTOPhase::None)
      .run(module, build.modules);
  build.modules.clear();  // as ~PipelineRunner()
}

void runClangO3(llvm::Module& module, llvm::TargetMachine& machine,
                const std::function<void(llvm::PassBuilder&)>& prepare) {
  Build build(module, machine, clangAtO3());
  prepare(build.builder);
  build.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, build.modules);
  build.modules.clear();  // as ~PipelineRunner()
}

void beforeVectorizing(llvm::PassBuilder& builder, VisitFunction visit) {
  builder.registerVectorizerStartEPCallback(
      [visit = std::move(visit)](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
        if (level.getSpeedupLevel() < 2 || level.getSizeLevel() != 0) return;
        // As the loop passes that come next begin, too: a loop without a preheader cannot be read.
        passes.addPass(llvm::LoopSimplifyPass());
        passes.addPass(VisitPass(visit));
      });
}

PipelineRunner::PipelineRunner(llvm::Module& module, llvm::TargetMachine& machine)
    : state_(std::make_unique<State>(module, machine)) {}

PipelineRunner::~PipelineRunner() {
  // Cached results point at one another across levels: outermost first.
  state_->modules.clear();
}

Result<bool> PipelineRunner::run(std::string_view pipeline) {
  llvm::ModulePassManager passes;
  if (llvm::Error error =
          state_->builder.parsePassPipeline(passes, llvm::StringRef(pipeline.data(), pipeline.size()))) {
    return fail(ErrorCode::kInvalidArgument, "{}", llvm::toString(std::move(error)));
  }
  const llvm::PreservedAnalyses preserved = passes.run(state_->module, state_->modules);
  return !preserved.areAllPreserved();
}

namespace {

Status parseInto(llvm::FunctionPassManager& passes, llvm::PassBuilder& builder, std::string_view text) {
  // Nobody's passes are none, which LLVM does not read.
  if (text.empty()) return {};
  if (llvm::Error error = builder.parsePassPipeline(passes, llvm::StringRef(text.data(), text.size())))
    return fail(ErrorCode::kInvalidArgument, "{}", llvm::toString(std::move(error)));
  return {};
}

// Whether a pass says that it is required and may change something: its name, or "" for what only holds
// others, or asks.
llvm::StringRef requiredAndChanging(llvm::StringRef pass) {
  for (const char* harmless : {"PassManager", "Adaptor", "RequireAnalysisPass", "InvalidateAnalysisPass",
                               "InvalidateAllAnalysesPass", "VerifierPass"})
    if (pass.contains(harmless)) return "";
  return pass;
}

// The first pass of `text` that runs on a function marked optnone all the same; "" if there is none. It is
// tried on a function with a loop, for no header says it of all passes. coro-elide, which is in each of
// clang's own simplifications, does nothing in a module without coroutines.
std::string firstRequired(std::string_view text, llvm::TargetMachine& machine, bool coroutines) {
  llvm::LLVMContext context;
  llvm::Module module("required", context);
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                          llvm::Function::ExternalLinkage, "f", module);
  function->addFnAttr(llvm::Attribute::OptimizeNone);
  function->addFnAttr(llvm::Attribute::NoInline);
  llvm::BasicBlock* entry = llvm::BasicBlock::Create(context, "", function);
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(context, "", function);
  llvm::IRBuilder<>(entry).CreateBr(loop);
  llvm::IRBuilder<>(loop).CreateBr(loop);
  Build build(module, machine);
  std::string required;
  build.callbacks.registerBeforeNonSkippedPassCallback([&](llvm::StringRef pass, const llvm::Any&) {
    if (!required.empty() || (pass == "CoroElidePass" && !coroutines)) return;
    required = requiredAndChanging(pass).str();
  });
  llvm::FunctionPassManager passes;
  if (parseInto(passes, build.builder, text)) {
    build.modules.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module);
    passes.run(*function, build.functions);
  }
  build.modules.clear();  // as ~PipelineRunner()
  return required;
}

}  // namespace

Status PipelineRunner::check(std::string_view text) {
  llvm::FunctionPassManager unused;
  ORDO_TRY(parseInto(unused, state_->builder, text));
  // Searches ask for few, again and again.
  static std::mutex mutex;
  static std::array<std::map<std::string, std::string, std::less<>>, 2> of;
  const std::scoped_lock lock(mutex);
  const bool coroutines = state_->module.getFunction("llvm.coro.id") != nullptr;
  auto& known = of[coroutines ? 1 : 0];
  auto found = known.find(text);
  if (found == known.end())
    found = known.emplace(std::string(text), firstRequired(text, state_->machine, coroutines)).first;
  if (found->second.empty()) return {};
  return fail(ErrorCode::kInvalidArgument,
              "'{}' does not leave functions alone that are optnone, by which choices are told",
              found->second);
}

Result<bool> PipelineRunner::run(std::string_view text, const Chosen& chosen) {
  llvm::FunctionPassManager passes;
  ORDO_TRY(parseInto(passes, state_->builder, text));
  llvm::FunctionAnalysisManager& analyses =
      state_->modules.getResult<llvm::FunctionAnalysisManagerModuleProxy>(state_->module).getManager();
  bool changed = false;
  // As llvm::ModuleToFunctionPassAdaptor does.
  for (llvm::Function& function : state_->module) {
    if (function.isDeclaration() || !chosen(function)) continue;
    const llvm::PreservedAnalyses preserved = passes.run(function, analyses);
    analyses.invalidate(function, preserved);
    changed = changed || !preserved.areAllPreserved();
  }
  return changed;
}

std::vector<KnownPass> knownPasses() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::PassBuilder builder;
  builder.printPassNames(stream);

  // The listing has headings such as "Module passes with params:" and "Function analyses:".
  std::vector<KnownPass> passes;
  KnownPass heading;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      heading.analysis =
          line.find("analyses") != std::string::npos || line.find("alias analys") != std::string::npos;
      heading.level = line.starts_with("Module")     ? "module"
                      : line.starts_with("CGSCC")    ? "cgscc"
                      : line.starts_with("Function") ? "function"
                      : line.starts_with("LoopNest") ? "loopnest"
                      : line.starts_with("Loop")     ? "loop"
                      : line.starts_with("Machine")  ? "machine-function"
                                                     : "unknown";
      continue;
    }
    KnownPass pass = heading;
    pass.name = line.substr(line.find_first_not_of(' '));
    // "simplifycfg<no-forward-switch-cond;...>" in the sections with parameters.
    if (const std::size_t open = pass.name.find('<'); open != std::string::npos) {
      pass.params = pass.name.substr(open);
      pass.name.resize(open);
    }
    passes.push_back(std::move(pass));
  }
  return passes;
}

}  // namespace ordo::actions
