// Phases: the schedule on tensors; results become arguments that are written to; bufferization; vectors to
// what a processor has; everything to LLVM's dialect; LLVM -O3 for this processor.
//
// LLVM is given vectors no wider than registers: of wider ones, of 96 floats say, its code generator makes
// hundreds of scalars. And it does not schedule once more what has registers already: on a thousand vectors
// in a row that takes longer than all the rest, and this processor reorders them anyway.
//
// Traps of MLIR 22.1.8 that the texts below go round: patterns of lower_broadcast, transfer_to_scf and
// canonicalization in one set rewrite for ever; `builtin.module(` around a pipeline that is parsed into a
// manager of modules makes it do nothing; a result that is returned is copied; convert-openmp-to-llvm
// converts functions, too, with descriptors for arguments, unless that is done; convert-math-to-libm takes
// vectors apart with operations on vectors, so it comes before these are converted.
#include "mlir/lowering/compile.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/ExecutionEngine/ExecutionEngine.h>
#include <mlir/ExecutionEngine/OptUtils.h>
#include <mlir/IR/Builders.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Pass/PassRegistry.h>
#include <mlir/Target/LLVMIR/Export.h>

#include "mlir/lowering/across.h"
#include "mlir/lowering/approximate.h"
#include "mlir/lowering/context.h"
#include "mlir/lowering/guarded.h"
#include "mlir/lowering/scratch.h"
#include "mlir/model/limits.h"

namespace ordo::lowering {
namespace {

constexpr std::int64_t kMostScratch = 256 << 20;  // bytes, for each thread that calls
constexpr const char* kOpenMp = "libomp.so.5";
constexpr int kWaitMilliseconds = 1;

// Results become further arguments, which are written to; arguments of the caller are left as they are. No
// output overlaps anything, and what is only read may overlap what it likes and still be told so: without
// that LLVM keeps loads and stores in order, and takes several times as long to find out what may be moved.
void returnThroughArguments(mlir::func::FuncOp function) {
  mlir::OpBuilder builder(function.getContext());
  const mlir::Location place = function.getLoc();
  keepInputs(function);
  mlir::Operation* const exit = function.getBody().front().getTerminator();
  builder.setInsertionPoint(exit);
  for (const mlir::Value result : exit->getOperands()) {
    const auto tensor = llvm::cast<mlir::RankedTensorType>(result.getType());
    const auto type = mlir::MemRefType::get(tensor.getShape(), tensor.getElementType());
    const unsigned index = function.getNumArguments();
    const bool added = mlir::succeeded(function.insertArgument(index, type, {}, place));
    ORDO_CHECK(added, "a function of our own making");
    mlir::bufferization::MaterializeInDestinationOp::create(builder, place, mlir::TypeRange(), result,
                                                            function.getArgument(index), /*restrict=*/true,
                                                            /*writable=*/true);
  }
  exit->setOperands({});
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(), {}));
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    function.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
}

// Two that begin in the same place would have to be copied.
void unshareEmptyTensors(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::tensor::EmptyOp> all;
  module.walk([&](mlir::tensor::EmptyOp empty) { all.push_back(empty); });
  for (mlir::tensor::EmptyOp empty : all) {
    mlir::OpBuilder builder(empty);
    while (!empty->use_empty() && !empty->hasOneUse())
      empty->use_begin()->set(builder.clone(*empty)->getResult(0));
  }
}

// Copies between tensors whose rows are apart would call a library that goes element by element.
void copyByLoops(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::memref::CopyOp> copies;
  module.walk([&](mlir::memref::CopyOp copy) { copies.push_back(copy); });
  for (mlir::memref::CopyOp copy : copies) {
    mlir::OpBuilder builder(copy);
    mlir::linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
    copy.erase();
  }
}

Status runPasses(Workshop::Context& context, mlir::ModuleOp module, const std::string& passes,
                 std::string_view what) {
  const Complaints complaints(context.mlir);
  mlir::PassManager manager(&context.mlir);
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (mlir::failed(mlir::parsePassPipeline(passes, manager, out)))
    return fail(ErrorCode::kInternal, "{}: {}", what, problem);
  if (mlir::failed(manager.run(module))) return fail(ErrorCode::kInternal, "{}: {}", what, complaints.text());
  return {};
}

// `linked`: for objects that go into programs and libraries of others.
Result<std::unique_ptr<llvm::TargetMachine>> makeMachine(bool linked = false) {
  static const bool once = [] {
    const char* const options[] = {"ordo", "-disable-post-ra"};
    return !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter() &&
           llvm::cl::ParseCommandLineOptions(2, options);
  }();
  ORDO_CHECK(once, "LLVM is built for the machine that it runs on");
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) return fail(ErrorCode::kUnavailable, "no target: {}", llvm::toString(builder.takeError()));
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  if (linked) {
    builder->setRelocationModel(llvm::Reloc::PIC_);
    builder->setCodeModel(llvm::CodeModel::Small);
    // Of JIT's making; programs have real ones.
    builder->getOptions().EmulatedTLS = false;
  }
  auto machine = builder->createTargetMachine();
  if (!machine) return fail(ErrorCode::kUnavailable, "no target: {}", llvm::toString(machine.takeError()));
  return std::move(*machine);
}

// Vectors of at most a register, then -O3.
llvm::Error optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionAnalysisManager functions;
  functions.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  functions.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  functions.registerPass([&] { return machine.getTargetIRAnalysis(); });
  llvm::ScalarizerPassOptions narrow;
  narrow.ScalarizeMinBits = static_cast<unsigned>(32 * model::registers().lanes);
  narrow.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ScalarizerPass(narrow));
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) passes.run(function, functions);
  }
  return mlir::makeOptimizingTransformer(3, 0, &machine)(&module);
}

// OpenMP's library, which this process does not need before. Its threads wait for work for a fifth of a
// second unless they are told not to, and whoever is measured in turn with us would wait for them.
Status loadThreads() {
  static const std::string problem = [] {
    // Other versions of LLVM may have left theirs.
    const std::string own = fmt::format("/usr/lib/llvm-{}/lib/{}", LLVM_VERSION_MAJOR, kOpenMp);
    void* library = dlopen(own.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) library = dlopen(kOpenMp, RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      const char* const why = dlerror();
      return std::string(why == nullptr ? kOpenMp : why);
    }
    if (void* const found = dlsym(library, "kmp_set_blocktime"))
      reinterpret_cast<void (*)(int)>(found)(kWaitMilliseconds);
    return std::string();
  }();
  if (problem.empty()) return {};
  return fail(ErrorCode::kUnavailable, "no threads: {}; apt-get install -y libomp-22-dev", problem);
}

}  // namespace

Host host() {
  return {LLVM_VERSION_STRING, llvm::sys::getDefaultTargetTriple(), llvm::sys::getHostCPUName().str()};
}

std::string bufferizationPasses() {
  return "canonicalize,eliminate-empty-tensors,empty-tensor-to-alloc-tensor,"
         "one-shot-bufferize{bufferize-function-boundaries "
         "function-boundary-type-conversion=identity-layout-map},"
         "drop-equivalent-buffer-results,buffer-deallocation-pipeline,convert-bufferization-to-memref,"
         "canonicalize,cse";
}

std::string_view vectorLowering() {
  return R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_1d"
      transform.apply_patterns.vector.lower_outerproduct
    } : !transform.any_op
    transform.yield
  }
}
)";
}

std::string loweringPasses(const Target& target) {
  const std::string loops =
      target.threads > 1
          ? fmt::format("scf-forall-to-parallel,convert-scf-to-openmp{{num-threads={}}}", target.threads)
          : "func.func(scf-forall-to-for)";
  return "func.func(convert-linalg-to-loops)," + loops +
         ",canonicalize,func.func(convert-vector-to-scf{full-unroll=true}),expand-strided-metadata,lower-"
         "affine,"
         "convert-scf-to-cf," +
         "convert-math-to-llvm,convert-math-to-libm,convert-vector-to-llvm{enable-x86vector=1 "
         "reassociate-fp-reductions=1},finalize-memref-to-llvm,convert-func-to-llvm{use-bare-ptr-memref-call-"
         "conv=1}" +
         (target.threads > 1 ? ",convert-openmp-to-llvm" : "") +
         ",convert-index-to-llvm,convert-arith-to-llvm,"
         "convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts,canonicalize,cse";
}

struct Code::Engine {
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*function)(void**) = nullptr;  // of addresses of arguments
  std::vector<Guarded> scratch;
};

Code::Code(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Code::~Code() = default;

void Code::run(std::span<void* const> buffers) const {
  std::vector<void*> places(buffers.begin(), buffers.end()), arguments;
  for (void*& place : places) arguments.push_back(&place);
  engine_->function(arguments.data());
}

void Code::forget() const {
  for (const Guarded& place : engine_->scratch) std::fill_n(place.data(), place.size(), std::byte{0xff});
}

bool Code::intact() const { return std::ranges::all_of(engine_->scratch, &Guarded::intact); }

namespace {

// All phases but LLVM's.
Result<mlir::OwningOpRef<mlir::ModuleOp>> lower(Workshop::Context& context, const Payload& payload,
                                                std::string_view schedule, const Target& target) {
  ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module, parse(context, payload.name, payload.text));
  // Nothing of it is in the text, and only what is loaded can be built.
  context.mlir.loadDialect<mlir::bufferization::BufferizationDialect>();
  if (!schedule.empty()) ORDO_TRY(applySequence(context, *module, schedule, "the schedule"));
  ORDO_TRY(takeApart(context, *module, payload.name));
  renameFor(*module, payload);
  returnThroughArguments(*module->getOps<mlir::func::FuncOp>().begin());
  unshareEmptyTensors(*module);
  ORDO_TRY(runPasses(context, *module, bufferizationPasses(), "bufferization"));
  copyByLoops(*module);
  useScratch(*module, kMostScratch, target.threads > 1);
  reduceAcross(*module);
  ORDO_TRY(applySequence(context, *module, vectorLowering(), "the lowering of vectors"));
  if (!target.library) ORDO_TRY(approximateFunctions(*module));
  ORDO_TRY(runPasses(context, *module, loweringPasses(target), "lowering"));
  return module;
}

// Places for what is computed on the way are of this process, between pages that may not be touched.
Result<std::unique_ptr<Code::Engine>> load(mlir::ModuleOp module, const std::string& symbol) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, makeMachine());
  ORDO_TRY_ASSIGN(std::unique_ptr<llvm::TargetMachine> emitter, makeMachine());
  mlir::ExecutionEngineOptions options;
  std::vector<ScratchPlace> places;
  const auto transform = [&](llvm::Module* ir) {
    places = exposeScratch(*ir);
    return optimize(*ir, *machine);
  };
  options.transformer = transform;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = options.enablePerfNotificationListener = false;
  auto made = mlir::ExecutionEngine::create(module, options, std::move(emitter));
  if (!made) return fail(ErrorCode::kInternal, "no code: {}", llvm::toString(made.takeError()));
  auto engine = std::make_unique<Code::Engine>();
  engine->engine = std::move(*made);
  for (const ScratchPlace& place : places) {
    ORDO_TRY_ASSIGN(Guarded memory, Guarded::create(place.bytes));
    engine->scratch.push_back(std::move(memory));
  }
  engine->engine->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols;
    for (std::size_t i = 0; i < places.size(); ++i) {
      symbols[mangle(places[i].name)] = {llvm::orc::ExecutorAddr::fromPtr(engine->scratch[i].data()),
                                         llvm::JITSymbolFlags::Exported};
    }
    return symbols;
  });
  auto found = engine->engine->lookupPacked(symbol);
  if (!found) return fail(ErrorCode::kInternal, "no code: {}", llvm::toString(found.takeError()));
  engine->function = *found;
  return engine;
}

}  // namespace

Result<std::unique_ptr<Code>> compile(Workshop& workshop, const Payload& payload, std::string_view schedule,
                                      const Target& target) {
  if (target.threads > 1) ORDO_TRY(loadThreads());
  return withContext(
      workshop, payload.text, [&](Workshop::Context& context) -> Result<std::unique_ptr<Code>> {
        ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module, lower(context, payload, schedule, target));
        const Complaints complaints(context.mlir);
        ORDO_TRY_ASSIGN(std::unique_ptr<Code::Engine> engine, load(*module, payload.symbol));
        return std::unique_ptr<Code>(new Code(std::move(engine)));
      });
}

Result<std::string> emitObject(Workshop& workshop, const Payload& payload, std::string_view schedule,
                               const Target& target) {
  llvm::LLVMContext llvm;
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::Module> ir,
                  withContext(workshop, payload.text,
                              [&](Workshop::Context& context) -> Result<std::unique_ptr<llvm::Module>> {
                                ORDO_TRY_ASSIGN(mlir::OwningOpRef<mlir::ModuleOp> module,
                                                lower(context, payload, schedule, target));
                                std::unique_ptr<llvm::Module> ir =
                                    mlir::translateModuleToLLVMIR(*module, llvm);
                                if (!ir) return fail(ErrorCode::kInternal, "no IR of LLVM");
                                return ir;
                              }));
  makeThreadLocal(*ir);
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, makeMachine(true));
  mlir::ExecutionEngine::setupTargetTripleAndDataLayout(ir.get(), machine.get());
  if (llvm::Error error = optimize(*ir, *machine))
    return fail(ErrorCode::kInternal, "LLVM: {}", llvm::toString(std::move(error)));
  llvm::SmallVector<char> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return fail(ErrorCode::kUnsupported, "no objects are made for {}", machine->getTargetTriple().str());
  passes.run(*ir);
  return std::string(object.begin(), object.end());
}

}  // namespace ordo::lowering
