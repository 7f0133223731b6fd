// Differ::compareOn() is one input; begin there. The watched original runs twice: the first run makes the
// input while it reads it, and the second, which begins with that, leaves the snapshot that others are held
// against. Then the optimised version runs, and only if it differs are the plain original and that at -O1,
// linked when it is first needed, asked whether they agree. run() gives each function a few inputs in turn,
// so that none takes the time of the others. What is random in an input depends on seed, function name and
// number alone.
#include "llvm/execution/differ.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <cstring>

#include "llvm/actions/pipeline.h"
#include "llvm/execution/image.h"
#include "llvm/execution/signature.h"
#include "llvm/execution/snapshot.h"
#include "llvm/execution/watch.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "support/clock.h"
#include "support/hash.h"

namespace ordo::execution {
namespace {

using differ::FunctionReport;
using Verdict = FunctionReport::Verdict;

// Each takes an input buffer.
constexpr std::size_t kMostForeign = 200;

struct Function {
  FunctionReport report;
  Signature signature;
  std::string problem;  // why it cannot be called
  std::size_t first_block = 0;
  std::map<std::string, std::int64_t> reasons;  // of void inputs
  std::uint64_t next_input = 0;
};

std::string text(const llvm::Type& type) {
  std::string result;
  llvm::raw_string_ostream(result) << type;
  return result;
}

class Differ {
 public:
  Differ(const differ::Request& request, Progress& progress)
      : request_(request), progress_(progress), rng_(request.seed) {}

  Status prepare();
  differ::Report run();

 private:
  enum Version { kWatched, kOptimized, kPlain, kO1, kVersions };

  Result<ir::OwnedModule> original() const { return ir::parse(request_.original, "the original"); }
  Status link(Version version, ir::OwnedModule module);
  Result<ir::OwnedModule> originalAtO1() const;
  void collect(const llvm::Module& original, const llvm::Module& optimized);
  void compareOn(Function& function, std::uint64_t number);
  Snapshot runVersion(Version version, const Function& function, std::vector<Slot> slots);
  // The version of the original that is only needed for a second opinion.
  void linkO1();
  // Whether that version, if there is one, does as the watched one.
  bool agrees(Version version, const Function& function, const std::vector<Slot>& slots,
              const Snapshot& watched);

  const differ::Request& request_;
  Progress& progress_;
  Rng rng_;
  Machine machine_;
  std::map<std::string, std::byte*> foreign_;  // variables of other modules
  std::vector<std::string> names_;             // of variables, as the watched image has them
  std::array<std::unique_ptr<Image>, kVersions> images_;
  std::array<std::vector<Variable>, kVersions> variables_;
  std::vector<WatchedFunction> watched_;
  std::vector<Function> functions_;
  std::vector<bool> reached_;
  bool tried_o1_ = false;
};

// Whether code for that machine can be called in this process.
bool runsInside(const llvm::Module& module) {
  const llvm::Triple::ArchType machine = module.getTargetTriple().getArch();
  const llvm::Triple here(llvm::sys::getProcessTriple());
  return (machine == llvm::Triple::UnknownArch || machine == here.getArch()) &&
         module.getDataLayout().getPointerSize() == sizeof(void*);
}

Result<ir::OwnedModule> Differ::originalAtO1() const {
  ORDO_TRY_ASSIGN(ir::OwnedModule module, original());
  ORDO_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> target, ir::makeTargetMachine(*module, {}));
  actions::PipelineRunner runner(*module, *target);
  ORDO_TRY(runner.run("default<O1>"));
  return module;
}

Status Differ::link(Version version, ir::OwnedModule module) {
  ImageOptions options;
  options.watched = version == kWatched;
  options.level = version == kOptimized ? 2 : 0;
  options.foreign_variable = [this](const std::string& name) -> void* {
    return foreign_.try_emplace(name, machine_.memory().buffer(foreign_.size())).first->second;
  };
  options.foreign_function = [&](const std::string& name) -> void* {
    return version == kOptimized || version == kO1 ? images_[kPlain]->function(name) : nullptr;
  };
  ORDO_TRY_ASSIGN(images_[version], Image::link(std::move(module), options));
  if (foreign_.size() > kMostForeign)
    return fail(ErrorCode::kUnsupported, "too many variables of other modules");
  if (version == kWatched) {
    for (const auto& [name, variable] : images_[version]->variables()) names_.push_back(name);
  }
  for (const std::string& name : names_) {
    const auto found = images_[version]->variables().find(name);
    variables_[version].push_back(found == images_[version]->variables().end() ? Variable{} : found->second);
  }
  // Constructors have run when anybody calls.
  for (const Machine::Entry constructor : images_[version]->constructors()) {
    if (constructor == nullptr) return fail(ErrorCode::kUnsupported, "a constructor is somebody else's");
    machine_.beginInput(Rng(1));
    machine_.memory().beginInput(Rng(1), foreign_.size(), variables_[version], false, {});
    Slot slot;
    const Outcome outcome = machine_.run(constructor, &slot, images_[version]->symbols(), {});
    if (outcome.ending != Ending::kReturned)
      return fail(ErrorCode::kUnsupported, "what runs before main() {}",
                  outcome.why.empty() ? "does not end" : outcome.why);
  }
  images_[version]->keep();
  return {};
}

Status Differ::prepare() {
  ORDO_TRY_ASSIGN(ir::OwnedModule watched, original());
  ORDO_TRY_ASSIGN(ir::OwnedModule optimized, ir::parse(request_.optimized, "the optimised module"));
  for (const ir::OwnedModule* module : {&watched, &optimized}) {
    if (const std::string complaint = ir::verify(**module); !complaint.empty())
      return fail(ErrorCode::kCorrupt, "not valid IR: {}", complaint);
    if (!runsInside(**module))
      return fail(ErrorCode::kUnsupported, "functions for {} do not run in a process of this machine",
                  (*module)->getTargetTriple().str());
  }
  collect(*watched, *optimized);
  watched_ = watch(*watched);
  if (const std::string complaint = ir::verify(*watched); !complaint.empty())
    return fail(ErrorCode::kInternal, "the watched module is not valid: {}", complaint);
  for (Function& function : functions_) {
    const auto found = std::ranges::find(watched_, function.report.name, &WatchedFunction::name);
    function.first_block = found->first_block;
    function.report.blocks = static_cast<std::int64_t>(found->blocks);
  }
  reached_.assign(watched_.empty() ? 0 : watched_.back().first_block + watched_.back().blocks, false);
  ORDO_TRY(link(kWatched, std::move(watched)));
  ORDO_TRY_ASSIGN(ir::OwnedModule plain, original());
  ORDO_TRY(link(kPlain, std::move(plain)));
  return link(kOptimized, std::move(optimized));
}

void Differ::collect(const llvm::Module& original, const llvm::Module& optimized) {
  for (const llvm::Function& function : original) {
    // Nobody else can call a local function, so an optimiser may change what it is.
    if (function.isDeclaration() || function.hasLocalLinkage() || function.hasAvailableExternallyLinkage())
      continue;
    if (!request_.function.empty() && function.getName() != llvm::StringRef(request_.function)) continue;
    if (std::ranges::find(request_.without, function.getName().str()) != request_.without.end()) continue;
    Function one;
    one.report.name = function.getName().str();
    // Two functions that turned out to be one are an alias and the other.
    const llvm::GlobalValue* named = optimized.getNamedValue(function.getName());
    const auto* other =
        named == nullptr ? nullptr : llvm::dyn_cast<llvm::Function>(named->getAliaseeObject());
    // Who uses such a function has a copy.
    if (other == nullptr && function.hasLinkOnceLinkage()) continue;
    if (other == nullptr || other->isDeclaration()) {
      one.problem = one.report.detail = "is not in the optimised module";
      one.report.verdict = Verdict::kWrong;
    } else if (text(*other->getFunctionType()) != text(*function.getFunctionType())) {
      one.problem = "has another type in the optimised module";
    } else if (function.isVarArg()) {
      one.problem = "takes a variable number of arguments";
    } else {
      one.signature = describeSignature(function);
    }
    functions_.push_back(std::move(one));
  }
}

Snapshot Differ::runVersion(Version version, const Function& function, std::vector<Slot> slots) {
  images_[version]->restore();
  machine_.memory().beginRun(variables_[version]);
  Outcome outcome = machine_.run(images_[version]->entry(function.report.name), slots.data(),
                                 images_[version]->symbols(), {});
  outcome.value = slots[function.signature.arguments.size()];
  return capture(machine_.memory(), std::move(outcome), variables_[version], names_,
                 images_[version]->symbols());
}

void Differ::linkO1() {
  tried_o1_ = true;
  if (Result<ir::OwnedModule> o1 = originalAtO1(); !o1 || !link(kO1, *std::move(o1))) images_[kO1] = nullptr;
}

bool Differ::agrees(Version version, const Function& function, const std::vector<Slot>& slots,
                    const Snapshot& watched) {
  if (images_[version] == nullptr) return true;
  return difference(machine_, watched, runVersion(version, function, slots), function.signature.result)
      .empty();
}

void Differ::compareOn(Function& function, std::uint64_t number) {
  FunctionReport& report = function.report;
  progress_.input = number;
  Rng rng = rng_.stream(hashBytes(report.name).low).stream(number);
  std::vector<Slot> slots(function.signature.arguments.size() + 1);
  images_[kWatched]->restore();
  machine_.beginInput(rng.stream(0));
  machine_.memory().beginInput(rng.stream(1), foreign_.size(), variables_[kWatched], number % 2 == 1,
                               function.signature.numbers);
  const std::string told = makeArguments(function.signature, machine_.memory(), rng, slots);
  machine_.blocks().assign(reached_.size(), false);

  std::vector<Slot> discovered = slots;
  const auto give_up = [&](std::string why) {
    ++report.void_inputs;
    ++function.reasons[std::move(why)];
  };
  const Outcome first = machine_.run(images_[kWatched]->entry(report.name), discovered.data(),
                                     images_[kWatched]->symbols(), {});
  if (first.ending == Ending::kVoid) return give_up(first.why);
  if (first.ending != Ending::kReturned && first.ending != Ending::kLeft) return give_up("crashes by itself");
  const Snapshot watched = runVersion(kWatched, function, slots);
  if (watched.outcome.ending != first.ending) return give_up("is another run the second time");

  progress_.optimized = true;
  const Snapshot optimized = runVersion(kOptimized, function, slots);
  progress_.optimized = false;
  if (optimized.outcome.ending == Ending::kVoid) return give_up(optimized.outcome.why);
  const std::string differs = difference(machine_, watched, optimized, function.signature.result);
  if (!differs.empty()) {
    if (!tried_o1_) {
      linkO1();
      return compareOn(function, number);  // linking may have run constructors: this input begins again
    }
    if (!agrees(kPlain, function, slots, watched)) return give_up("differs from itself without checks");
    if (!agrees(kO1, function, slots, watched)) return give_up("differs from itself at -O1");
    report.verdict = Verdict::kWrong;
    report.detail = differs;
    report.input = fmt::format("{}({})", report.name, told);
    report.input_number = number;
  } else if (report.verdict == Verdict::kSkipped) {
    report.verdict = Verdict::kEqual;
  }
  ++report.compared;
  for (std::size_t i = 0; i < reached_.size(); ++i) reached_[i] = reached_[i] || machine_.blocks()[i];
}

differ::Report Differ::run() {
  constexpr std::uint64_t kRound = 10;
  constexpr double kPatience = 3;
  const SteadyClock clock;
  const double begin = clock.seconds();
  const auto inputs = static_cast<std::uint64_t>(request_.inputs);
  for (bool more = true; more;) {
    more = false;
    for (Function& function : functions_) {
      FunctionReport& report = function.report;
      // One wrong result is enough, and where nothing is defined after a while, nothing will be.
      const double spent = clock.seconds() - begin;
      const bool hopeless = report.compared == 0 && report.void_inputs >= 100;
      if (!function.problem.empty() || report.verdict == Verdict::kWrong || hopeless ||
          function.next_input >= inputs)
        continue;
      // Each function gets one round, if that is possible at all.
      if (spent > request_.seconds * (function.next_input == 0 ? kPatience : 1)) continue;
      progress_.function.fill('\0');
      report.name.copy(progress_.function.data(), progress_.function.size() - 1);
      for (std::uint64_t i = 0; i < kRound && report.verdict != Verdict::kWrong &&
                                clock.seconds() - begin < request_.seconds * kPatience;
           ++i)
        compareOn(function, function.next_input++);
      more = true;
    }
  }
  differ::Report result;
  for (Function& function : functions_) {
    FunctionReport& report = function.report;
    for (std::int64_t i = 0; i < report.blocks; ++i)
      report.reached += reached_[function.first_block + static_cast<std::size_t>(i)] ? 1 : 0;
    if (report.verdict == Verdict::kSkipped) {
      const auto most =
          std::ranges::max_element(function.reasons, {}, [](const auto& reason) { return reason.second; });
      report.detail = !function.problem.empty() ? function.problem
                      : most == function.reasons.end()
                          ? "there was no time"
                          : fmt::format("no generated input is defined: it mostly {}", most->first);
    }
    result.functions.push_back(std::move(report));
  }
  result.blocks = static_cast<std::int64_t>(reached_.size());
  result.reached = std::ranges::count(reached_, true);
  result.seconds = clock.seconds() - begin;
  return result;
}

}  // namespace

Result<differ::Report> compareModules(const differ::Request& request, Progress& progress) {
  Differ differ(request, progress);
  ORDO_TRY(differ.prepare());
  return differ.run();
}

}  // namespace ordo::execution
