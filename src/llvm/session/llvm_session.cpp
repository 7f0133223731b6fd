// A session keeps its state in one of two forms, or both: as bitcode (small, cheap to copy, what a
// fork shares) and as a module with its analyses (what passes work on). The module is parsed from
// the bitcode when the first pass needs it; bitcode is written when a fork needs it. Writing and
// parsing cost less than llvm::CloneModule and give each session a context of its own.
//
// That bitcode keeps the order of use lists, because passes follow it and a fork must go on exactly
// as the original would. Identity is another matter: the hash is of bitcode without use lists.
//
// A state may be halfway: calls that must be inlined before code is made (ir::mustInline) may still be there,
// in most C++ before the first pass that inlines. What is measured, and checked for what it offers, is then
// what the state becomes when they are, which finished() has; observations and hash are of the state itself.
#include "llvm/session/llvm_session.h"

#include <fmt/ranges.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>

#include "llvm/actions/attributes.h"
#include "llvm/actions/choices.h"
#include "llvm/actions/pipeline.h"
#include "llvm/features/feature.h"
#include "llvm/ir/codegen_options.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "llvm/ir/type_tests.h"
#include "llvm/metrics/metric.h"
#include "llvm/session/function_cache.h"
#include "llvm/session/machine_pool.h"
#include "llvm/session/text_cache.h"
#include "notation/action.h"
#include "notation/codegen.h"
#include "notation/function_sequence.h"
#include "notation/pass_options.h"

namespace ordo::session {
namespace {

using env::ActionIndex;
using env::Measurement;
using env::SessionSpec;
using env::StepOutcome;
using env::StepStatus;

// An observation of what is made of a state, and so none of the catalog's.
constexpr std::string_view kFunctionBytes = "function_bytes";

double cpuMs() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// What all sessions on one program share.
struct Program {
  SessionSpec spec;
  ir::TargetOptions target;
  std::vector<std::string> pass_options;
  std::shared_ptr<MachinePool> machines;
  std::shared_ptr<FunctionCache> functions;  // of all programs
  Hash128 hash;                              // of the state at the start
  std::optional<ir::Interface> interface;    // what every valid state must keep

  // Of its states, emitted with these options of the code generator.
  TextCache& textCache(const std::vector<std::string>& options) {
    const std::lock_guard lock(mutex);
    return text_caches[options];
  }

 private:
  std::mutex mutex;
  std::map<std::vector<std::string>, TextCache> text_caches;
};

// A module with what passes need around it.
struct Live {
  Live(ir::OwnedModule m, MachinePool::Lease lease)
      : module(std::move(m)), machine(std::move(lease)), runner(*module, *machine) {}

  ir::OwnedModule module;
  MachinePool::Lease machine;
  actions::PipelineRunner runner;
};

class LlvmSession final : public env::Session {
 public:
  explicit LlvmSession(std::shared_ptr<Program> program) : program_(std::move(program)) { toStart(); }
  LlvmSession(const LlvmSession& other, std::shared_ptr<const std::string> exact)
      : program_(other.program_),
        history_(other.history_),
        exact_(std::move(exact)),
        codegen_(other.codegen_),
        options_(other.options_),
        hash_(other.hash_),
        verdict_(other.verdict_),
        emission_(other.emission_),
        passes_cpu_ms_(other.passes_cpu_ms_) {}

  const SessionSpec& spec() const override { return program_->spec; }
  std::span<const ActionIndex> history() const override { return history_; }

  Status reset() override {
    live_.reset();
    history_.clear();
    codegen_.clear();
    options_.clear();
    changed();
    toStart();
    return {};
  }

  Result<StepOutcome> apply(std::span<const ActionIndex> actions) override {
    StepOutcome outcome;
    for (const ActionIndex index : actions) {
      if (index == env::kPipe) {
        forgetAnalyses();
        history_.push_back(index);
        ++outcome.applied;
        continue;
      }
      ORDO_CHECK(index < spec().actions.size(), "action {} of {}", index, spec().actions.size());
      const env::Action& action = spec().actions[index];
      if (action.kind == notation::kCodegen) {
        if (const auto known = ir::CodegenOptions::set({&action.text, 1}); !known) {
          outcome.status = StepStatus::kRejected;
          outcome.detail = fmt::format("{}: {}", action.name, known.error().message);
          return outcome;
        }
        outcome.changed = choose(action.text) || outcome.changed;
        history_.push_back(index);
        ++outcome.applied;
        continue;
      }
      if (action.kind == notation::kOption) {
        if (!notation::isPassOption(action.text)) {
          outcome.status = StepStatus::kRejected;
          outcome.detail = fmt::format("{}: '{}' is no option of passes", action.name, action.text);
          return outcome;
        }
        const std::vector<std::string> before = options_;
        notation::setPassOption(options_, action.text);
        std::ranges::sort(options_);
        outcome.changed = options_ != before || outcome.changed;
        history_.push_back(index);
        ++outcome.applied;
        // In stock opt the passes behind it are a process of its own.
        forgetAnalyses();
        continue;
      }
      ORDO_TRY_ASSIGN(Measurement readable, read());
      if (!readable.ok()) {
        outcome.status = readable.status;
        outcome.detail = std::move(readable.detail);
        return outcome;
      }
      const double start = cpuMs();
      ORDO_TRY_ASSIGN(const ir::CodegenOptions options, ir::CodegenOptions::set(optionsOfPasses()));
      const Result<bool> changed_it = action.kind == notation::kPipeline ? live_->runner.run(action.text)
                                      : action.kind == notation::kChoices
                                          ? carryOut(action)
                                          : actions::applyAttribute(*live_->module, action.text);
      passes_cpu_ms_ += cpuMs() - start;
      if (!changed_it) {
        outcome.status = StepStatus::kRejected;
        outcome.detail = fmt::format("{}: {}", action.name, changed_it.error().message);
        return outcome;
      }
      history_.push_back(index);
      ++outcome.applied;
      // A pass that says it changed nothing may still have; the hash is what counts, so the cached
      // bitcode goes in any case.
      changed();
      outcome.changed = outcome.changed || *changed_it;
      // In stock opt an attribute change is a process of its own (opt | opt -force-attribute | opt),
      // so the passes after it start from parsed bitcode without analyses. So do ours.
      if (action.kind == notation::kAttribute || action.kind == notation::kChoices) forgetAnalyses();
    }
    return outcome;
  }

  Result<std::vector<std::uint8_t>> legalActions() override {
    return std::vector<std::uint8_t>(spec().actions.size(), 1);
  }

  Result<Hash128> stateHash() override {
    if (!hash_) {
      ORDO_TRY_ASSIGN(const Measurement readable, read());
      hash_ = readable.ok() ? ir::hashBitcode(ir::writeBitcode(*live_->module)) : hashBytes(*exact_);
    }
    if (codegen_.empty() && options_.empty()) return *hash_;
    const std::string passes = options_.empty() ? "" : fmt::format(" passes {}", fmt::join(options_, " "));
    return hashBytes(fmt::format("{} {}{}", hash_->hex(), fmt::join(codegen_, " "), passes));
  }

  Result<Measurement> verify() override {
    if (!verdict_) {
      ORDO_TRY_ASSIGN(verdict_, read());
      if (!verdict_->ok()) return *verdict_;
      if (std::string complaint = ir::verify(*live_->module); !complaint.empty()) {
        *verdict_ = {StepStatus::kVerifierFailed, 0, std::move(complaint)};
      } else {
        ORDO_TRY_ASSIGN(const LlvmSession* const end, finished());
        if (complaint = program_->interface->compare(*end->live_->module); !complaint.empty())
          *verdict_ = {StepStatus::kExportsChanged, 0, std::move(complaint)};
      }
    }
    return *verdict_;
  }

  Result<env::Observation> observe(std::string_view name) override {
    if (name == kFunctionBytes) return functionBytes();
    const features::FeatureInfo* feature = features::find(name);
    if (feature == nullptr) return fail(ErrorCode::kNotFound, "there is no observation '{}'", name);
    if (feature->prepare != nullptr) ORDO_TRY(feature->prepare());
    ORDO_TRY_ASSIGN(Measurement readable, read());
    if (!readable.ok()) return fail(ErrorCode::kCorrupt, "{}", std::move(readable.detail));
    observed_.clear();
    feature->extract(*live_->module, observed_);
    const auto count = static_cast<std::uint32_t>(observed_.size() / elementBytes(feature->dtype));
    env::Observation observation{feature->dtype, {count}, std::as_bytes(std::span(observed_))};
    if (feature->columns != 0) observation.shape = {count / feature->columns, feature->columns};
    return observation;
  }

  Result<Measurement> measure(std::string_view name) override {
    const metrics::MetricInfo* metric = metrics::find(name);
    if (metric == nullptr) return fail(ErrorCode::kNotFound, "there is no metric '{}'", name);
    ORDO_TRY_ASSIGN(const Measurement verdict, verify());
    if (!verdict.ok()) return verdict;
    return evaluate(*metric, &LlvmSession::emittedText);
  }

  Result<Measurement> estimate(std::string_view name) override {
    const metrics::MetricInfo* metric = metrics::find(name);
    if (metric == nullptr) return fail(ErrorCode::kNotFound, "there is no metric '{}'", name);
    return evaluate(*metric, &LlvmSession::estimatedText);
  }

  Result<std::unique_ptr<Session>> fork() override {
    auto copy = std::make_unique<LlvmSession>(*this, exact());
    if (hasAnalyses()) copy->history_.push_back(env::kPipe);
    return copy;
  }

 private:
  Result<Measurement> evaluate(const metrics::MetricInfo& metric,
                               Result<ir::TextSizes> (LlvmSession::*text)()) {
    ORDO_TRY_ASSIGN(Measurement readable, read());
    if (!readable.ok()) return readable;
    ORDO_TRY_ASSIGN(LlvmSession* const end, finished());
    const Result<double> value =
        metric.measure({*end->live_->module, end->passes_cpu_ms_, [end] { return end->emission(); },
                        [end, text] { return (end->*text)(); }});
    if (!value) return Measurement{StepStatus::kRejected, 0, value.error().message};
    return Measurement{StepStatus::kOk, *value, {}};
  }

  // Gives each function its sequence, from a state that was written out and read again.
  Result<bool> carryOut(const env::Action& choices) {
    forgetAnalyses();
    ORDO_TRY_ASSIGN(const Measurement readable, read());
    if (!readable.ok()) return fail(ErrorCode::kInvalidArgument, "{}", readable.detail);
    ORDO_TRY_ASSIGN(const env::Choices chosen, notation::parseChoices(choices.text, choices.name));
    return actions::applyChoices(*live_->module, live_->runner, chosen.sequences, chosen.functions);
  }

  Result<env::Observation> functionBytes() {
    ORDO_TRY_ASSIGN(const Measurement verdict, verify());
    if (!verdict.ok()) return fail(ErrorCode::kCorrupt, "{}", verdict.detail);
    // Of the program as given the verdict is known without reading it.
    ORDO_TRY_ASSIGN(const Measurement readable, read());
    if (!readable.ok()) return fail(ErrorCode::kCorrupt, "{}", readable.detail);
    ORDO_TRY_ASSIGN(LlvmSession* const end, finished());
    ORDO_TRY_ASSIGN(const auto sizes, end->sizesOfFunctions());
    observed_.clear();
    std::uint32_t count = 0;
    for (const llvm::Function& function : *live_->module) {
      if (function.isDeclaration()) continue;
      const auto known = sizes.find(ir::symbolOf(function));
      const std::int64_t bytes = known == sizes.end() ? -1 : static_cast<std::int64_t>(known->second);
      observed_.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
      ++count;
    }
    return env::Observation{DType::kInt64, {count}, std::as_bytes(std::span(observed_))};
  }

  // By symbol. Of each alone where it can be, so that what it comes to does not depend on the others.
  Result<std::map<std::string, std::uint64_t>> sizesOfFunctions() {
    if (!crossesFunctions()) {
      const std::vector<std::string> asked = optionsOfCode();
      ORDO_TRY_ASSIGN(const ir::CodegenOptions options, ir::CodegenOptions::set(asked));
      const std::string around = fmt::format("{}\n{}", spec().settings, fmt::join(asked, "\n"));
      const auto bitcode = [this]() -> const std::string& { return *exact(); };
      if (auto sizes = program_->functions->sizes(*live_->module, around, bitcode, *live_->machine))
        return *std::move(sizes);
    }
    ORDO_TRY_ASSIGN(metrics::Emission made, emission());
    return std::move(made.functions);
  }

  // What code is made of: this, or if it is halfway, what comes of it. REQUIRES: live_ of this; has its own.
  Result<LlvmSession*> finished() {
    if (!ir::mustInline(*live_->module)) return this;
    if (finished_ == nullptr) {
      auto end = std::make_unique<LlvmSession>(*this, exact());
      ORDO_TRY_ASSIGN(const Measurement readable, end->read());
      if (!readable.ok()) return this;
      ORDO_TRY(end->live_->runner.run("always-inline"));
      end->changed();
      finished_ = std::move(end);
    }
    return finished_.get();
  }

  void toStart() {
    // Shares the program's bytes with every session on it. They need not be what our writer would
    // make of them, so their hash is not the state's.
    exact_ = {program_, &program_->spec.program};
    hash_ = program_->hash;
    verdict_ = Measurement{};
    passes_cpu_ms_ = 0;
  }

  // Whether a pass may have left something that a parsed program does not have.
  bool hasAnalyses() const {
    const auto touches = [this](ActionIndex index) {
      return index == env::kPipe || spec().actions[index].kind != notation::kCodegen;
    };
    const auto last = std::ranges::find_if(history_.rbegin(), history_.rend(), touches);
    return last != history_.rend() && *last != env::kPipe &&
           spec().actions[*last].kind == notation::kPipeline;
  }

  // From now on code is generated with `option`. The value says whether that is news.
  bool choose(const std::string& option) {
    const auto same = [&](const std::string& other) {
      return notation::codegenOption(other) == notation::codegenOption(option);
    };
    const auto place = std::ranges::find_if(codegen_, same);
    if (place != codegen_.end() && *place == option) return false;
    if (place != codegen_.end()) codegen_.erase(place);
    // In order of their names: the order in which they were chosen makes no difference.
    codegen_.insert(std::ranges::upper_bound(codegen_, option), option);
    emission_.reset();
    estimated_.reset();
    finished_.reset();
    return true;
  }

  void forgetAnalyses() {
    exact();
    live_.reset();
  }

  // Forgets what was derived from the state before.
  void changed() {
    exact_.reset();
    hash_.reset();
    verdict_.reset();
    emission_.reset();
    estimated_.reset();
    finished_.reset();
  }

  // Makes live_, unless passes have left the program so that nobody can read it: then the state is as invalid
  // as one that does not verify, and that is no error of ours.
  Result<Measurement> read() {
    if (live_ != nullptr) return Measurement{};
    Result<ir::OwnedModule> module = ir::parse(*exact_, spec().name);
    if (!module) {
      return Measurement{StepStatus::kVerifierFailed, 0,
                         fmt::format("cannot be read back: {}", module.error().message)};
    }
    ORDO_TRY_ASSIGN(MachinePool::Lease machine, program_->machines->acquire(**module, program_->target));
    live_ = std::make_unique<Live>(*std::move(module), std::move(machine));
    return Measurement{};
  }

  const std::shared_ptr<const std::string>& exact() {
    if (exact_ == nullptr)
      exact_ = std::make_shared<const std::string>(ir::writeExactBitcode(*live_->module));
    return exact_;
  }

  Result<metrics::Emission> emission() {
    if (!emission_) {
      const double start = cpuMs();
      // Code generation rewrites IR, so it gets a copy: what anybody would compile who reads our file.
      ORDO_TRY_ASSIGN(const ir::OwnedModule copy, ir::parse(*exact(), spec().name));
      ORDO_TRY_ASSIGN(const ir::CodegenOptions options, ir::CodegenOptions::set(optionsOfCode()));
      ORDO_TRY_ASSIGN(const std::string object, ir::emit(*copy, *live_->machine, ir::EmitKind::kObject));
      ORDO_TRY_ASSIGN(const ir::ObjectSizes sizes, ir::objectSizes(object));
      emission_ = metrics::Emission{sizes, object.size(), cpuMs() - start, ir::functionBytes(object)};
    }
    return *emission_;
  }

  std::vector<std::string> optionsOfPasses() const {
    std::vector<std::string> options = program_->pass_options;
    for (const std::string& option : options_) notation::setPassOption(options, option);
    return options;
  }

  std::vector<std::string> optionsOfCode() const {
    std::vector<std::string> options = program_->pass_options;
    options.insert(options.end(), codegen_.begin(), codegen_.end());
    return options;
  }

  // Whether the code of a function depends on the others, so that a sum over functions would be wrong.
  // Elsewhere than on x86 it was not shown that it does not: constants and veneers lie among the code there.
  // And pieces are put together as in ELF.
  bool crossesFunctions() const {
    const llvm::Triple& triple = live_->module->getTargetTriple();
    if (!triple.isX86() || !triple.isOSBinFormatELF()) return true;
    return std::ranges::any_of(codegen_, [](const std::string& option) {
      return notation::codegenOption(option) == "-enable-machine-outliner";
    });
  }

  Result<ir::TextSizes> emittedText() {
    ORDO_TRY_ASSIGN(const metrics::Emission whole, emission());
    return ir::TextSizes{whole.sizes.text, whole.sizes.code};
  }

  Result<ir::TextSizes> estimatedText() {
    if (estimated_ && !emission_) return *estimated_;
    if (!emission_ && !crossesFunctions()) {
      ORDO_TRY_ASSIGN(const ir::CodegenOptions options, ir::CodegenOptions::set(optionsOfCode()));
      const auto bitcode = [this]() -> const std::string& { return *exact(); };
      estimated_ = program_->textCache(codegen_).sizes(*live_->module, bitcode, *live_->machine);
      if (estimated_) return *estimated_;
    }
    return emittedText();
  }

  std::shared_ptr<Program> program_;
  std::vector<ActionIndex> history_;
  std::shared_ptr<const std::string> exact_;  // the state, unless only live_ has it
  std::unique_ptr<Live> live_;                // the state, unless only exact_ has it
  std::unique_ptr<LlvmSession> finished_;     // if it is halfway, and somebody measured it
  std::vector<std::string> codegen_;          // the code generator's options, sorted
  std::vector<std::string> options_;          // those of passes that actions have set, sorted
  std::optional<Hash128> hash_;               // of the program, without these
  std::optional<Measurement> verdict_;
  std::optional<metrics::Emission> emission_;
  std::optional<ir::TextSizes> estimated_;
  double passes_cpu_ms_ = 0;
  std::string observed_;
};

}  // namespace

LlvmBackend::LlvmBackend()
    : machines_(std::make_shared<MachinePool>()), functions_(std::make_shared<FunctionCache>()) {
  ir::initialiseTargets();
}

LlvmBackend::~LlvmBackend() = default;

Result<env::BackendInfo> LlvmBackend::describe() {
  env::BackendInfo info{"llvm", LLVM_VERSION_STRING, "release", llvm::sys::getDefaultTargetTriple(), {}, {},
                        {}};
  for (const features::FeatureInfo* feature : features::catalog()) {
    info.observations.push_back({std::string(feature->name),
                                 feature->version,
                                 feature->dtype,
                                 feature->width,
                                 std::string(feature->summary),
                                 feature->columns,
                                 feature->machine_dependent,
                                 {feature->element_names.begin(), feature->element_names.end()}});
  }
  info.observations.push_back({.name = std::string(kFunctionBytes),
                               .summary = "bytes of code of each function with a body, in their order, none "
                                          "beside another where that can be; -1: not known"});
  for (const metrics::MetricInfo* metric : metrics::catalog()) {
    info.metrics.push_back({std::string(metric->name), std::string(metric->unit), metric->deterministic,
                            std::string(metric->summary)});
  }
  info.program = "bitcode";
  for (actions::KnownPass& pass : actions::knownPasses()) {
    if (!pass.analysis)
      info.transforms.push_back({std::move(pass.name), std::move(pass.level), std::move(pass.params)});
  }
  return info;
}

Result<std::unique_ptr<env::Session>> LlvmBackend::open(SessionSpec spec) {
  auto program = std::make_shared<Program>();
  ORDO_TRY(notation::checkKinds(spec.actions));
  ORDO_TRY_ASSIGN(const notation::Codegen codegen, notation::parseCodegen(spec.settings, spec.name));
  program->target = {codegen.level,         codegen.relocation, codegen.code_model, codegen.function_sections,
                     codegen.data_sections, codegen.cpu,        codegen.features,   codegen.abi,
                     codegen.float_abi,     codegen.tlsdesc};
  program->pass_options = codegen.pass_options;
  program->machines = machines_;
  program->functions = functions_;
  ORDO_TRY_ASSIGN(const ir::OwnedModule module, ir::parse(spec.program, spec.name));
  if (std::string complaint = ir::verify(*module); !complaint.empty()) {
    return fail(ErrorCode::kCorrupt, "{} is not a valid program: {}", spec.name, complaint);
  }
  if (ir::hasTypeTests(*module)) {
    return fail(ErrorCode::kUnsupported,
                "{} is compiled for a link whose passes put in checks of types (-fsanitize=cfi, "
                "-fwhole-program-vtables); others would drop them",
                spec.name);
  }
  if (Result<MachinePool::Lease> machine = machines_->acquire(*module, program->target); !machine) {
    return fail(std::move(machine).error().context(spec.name));
  }
  program->hash = ir::hashBitcode(ir::writeBitcode(*module));
  program->interface.emplace(*module);
  program->spec = std::move(spec);
  return std::make_unique<LlvmSession>(std::move(program));
}

}  // namespace ordo::session
