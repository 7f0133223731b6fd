// A code generator's pipeline makes its eviction advisor by a constructor that LLVM's registry of passes
// keeps: the place where ours comes in. The pipes have names only while LLVM opens them.
#include "llvm/advisors/eviction_advisor.h"

#include <fcntl.h>
#include <llvm/CodeGen/LiveIntervals.h>
#include <llvm/CodeGen/LiveRegMatrix.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineOptimizationRemarkEmitter.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/RegAllocEvictionAdvisor.h>
#include <llvm/CodeGen/RegisterClassInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/VirtRegMap.h>
#include <llvm/IR/Module.h>
#include <llvm/InitializePasses.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "llvm/advisors/eviction_choice.h"
#include "notation/decisions.h"
#include "support/child.h"

namespace ordo::advisors {
namespace {

namespace fs = std::filesystem;
using notation::kEvictCandidates;
constexpr std::uint32_t kSelf = kEvictCandidates - 1;  // the candidate itself: nothing is evicted
constexpr const char* kRemarks = "ordo-evict";         // -Rpass=ordo-evict
constexpr const char* kChannel = "regalloc-evict-interactive-channel-base";

std::mutex g_mutex;  // of what follows, and of LLVM's option
MakeAdvisor g_make;
EvictionScope g_scope;
llvm::PassInfo::NormalCtor_t g_usual = nullptr;

std::size_t caseBytes() {
  std::size_t bytes = 0;
  for (const notation::EvictTensor& tensor : notation::evictTensors())
    bytes += tensor.count * (tensor.is_float ? sizeof(float) : sizeof(std::int64_t));
  return bytes;
}

// Both ends of a channel of MLGO's. What LLVM writes is far less at a time than a pipe holds.
class Channel {
 public:
  // Nothing without pipes. `open` is to have LLVM open them.
  template <typename Open>
  static std::unique_ptr<Channel> make(const Open& open) {
    std::error_code error;
    std::string folder = (fs::temp_directory_path(error) / "ordo-evict-XXXXXX").string();
    if (error || ::mkdtemp(folder.data()) == nullptr) return nullptr;
    const std::string in = folder + "/c.in", out = folder + "/c.out";
    std::unique_ptr<Channel> made;
    if (::mkfifo(in.c_str(), 0600) == 0 && ::mkfifo(out.c_str(), 0600) == 0) {
      Descriptor answers(::open(in.c_str(), O_RDWR | O_CLOEXEC));
      Descriptor questions(::open(out.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
      if (answers.get() >= 0 && questions.get() >= 0) {
        made.reset(new Channel(std::move(answers), std::move(questions)));
        open(folder + "/c");
        made->read();
      }
    }
    fs::remove_all(folder, error);
    return made && made->isKnown() ? std::move(made) : nullptr;
  }

  // What LLVM reads next.
  bool answer(std::int64_t index) {
    return ::write(answers_.get(), &index, sizeof index) == static_cast<ssize_t>(sizeof index);
  }
  // Takes the answer back that nobody read.
  void take() {
    std::int64_t ignored = 0;
    (void)!::read(answers_.get(), &ignored, sizeof ignored);
  }

  // The numbers of the case that LLVM has written since the last call; nothing if it asked nothing.
  bool features(std::vector<float>& features) {
    read();
    const std::size_t bytes = caseBytes() + 1;  // a line feed
    if (text_.size() < bytes || text_.find("{\"observation\"") == std::string::npos) return false;
    const char* at = text_.data() + text_.size() - bytes;
    features.clear();
    for (const notation::EvictTensor& tensor : notation::evictTensors()) {
      for (std::size_t i = 0; i < tensor.count; ++i) {
        if (tensor.is_float) {
          float value = 0;
          std::memcpy(&value, at, sizeof value);
          at += sizeof value;
          features.push_back(notation::boundedFeature(value));
        } else {
          std::int64_t value = 0;
          std::memcpy(&value, at, sizeof value);
          at += sizeof value;
          features.push_back(static_cast<float>(value));
        }
      }
    }
    return true;
  }

 private:
  Channel(Descriptor answers, Descriptor questions)
      : answers_(std::move(answers)), questions_(std::move(questions)) {}

  void read() {
    text_.clear();
    std::array<char, 8192> piece;
    for (ssize_t size = 0; (size = ::read(questions_.get(), piece.data(), piece.size())) > 0;)
      text_.append(piece.data(), static_cast<std::size_t>(size));
  }

  // Whether the first line says the tensors that we know, in their order.
  bool isKnown() const {
    std::size_t at = 0;
    for (const notation::EvictTensor& tensor : notation::evictTensors()) {
      const std::string wanted = std::string("{\"name\":\"") + tensor.name + "\",\"type\":\"" +
                                 (tensor.is_float ? "float" : "int64_t") + "\",\"port\":0,\"shape\":[" +
                                 (tensor.count == 1 ? "1]" : "1," + std::to_string(tensor.count) + "]");
      const std::size_t found = text_.find(wanted, at);
      if (found == std::string::npos || (at > 0 && found != at)) return false;
      at = found + wanted.size() + 2;  // "},"
    }
    return text_.compare(at - 1, 2, "],") == 0;
  }

  Descriptor answers_, questions_;
  std::string text_;
};

// One for all functions of a module.
struct Asked {
  std::unique_ptr<env::Advisor> advisor;
  std::unique_ptr<Channel> channel;
  std::vector<float> features;
  EvictionScope scope;
};

class Advised final : public llvm::RegAllocEvictionAdvisor {
 public:
  Advised(const llvm::MachineFunction& function, const llvm::RAGreedy& allocator,
          std::unique_ptr<RegAllocEvictionAdvisor> model, Asked& asked)
      : RegAllocEvictionAdvisor(function, allocator),
        usual_(std::make_unique<llvm::DefaultEvictionAdvisor>(function, allocator)),
        model_(std::move(model)),
        asked_(asked) {}

  llvm::MCRegister tryFindEvictionCandidate(const llvm::LiveInterval& range,
                                            const llvm::AllocationOrder& order, std::uint8_t cost_limit,
                                            const llvm::SmallVirtRegSet& fixed) const override {
    const llvm::MCRegister usual = usual_->tryFindEvictionCandidate(range, order, cost_limit, fixed);
    const std::vector<llvm::MCPhysReg> registers = registersFor(range);
    if (registers.size() >= kEvictCandidates || !asked_.channel->answer(kSelf)) return usual;
    model_->tryFindEvictionCandidate(range, order, cost_limit, fixed);
    if (!asked_.channel->features(asked_.features)) {
      asked_.channel->take();
      return usual;
    }
    const std::vector<std::uint8_t> allowed = notation::allowedBy(notation::evictDecision(), asked_.features);
    const auto place = std::find(registers.begin(), registers.end(), usual.id());
    const std::uint32_t index = usual ? static_cast<std::uint32_t>(place - registers.begin()) : kSelf;
    const env::Question question{asked_.features, allowed, index};
    if ((usual && place == registers.end()) || !env::fits(notation::evictDecision(), question)) return usual;
    if (asked_.scope.asked_in) asked_.scope.asked_in(MF.getName());
    const std::uint32_t wanted = asked_.advisor->advise(question);
    if (wanted == index || wanted >= allowed.size() || allowed[wanted] == 0) return usual;
    llvm::MCRegister advised;
    if (wanted != kSelf) {
      if (!asked_.channel->answer(wanted)) return usual;
      advised = model_->tryFindEvictionCandidate(range, order, cost_limit, fixed);
      if (!asked_.channel->features(asked_.features)) asked_.channel->take();
    }
    remark(range, usual, advised);
    return advised;
  }

  bool canEvictHintInterference(const llvm::LiveInterval& range, llvm::MCRegister hint,
                                const llvm::SmallVirtRegSet& fixed) const override {
    return usual_->canEvictHintInterference(range, hint, fixed);
  }

 private:
  // In the order of llvm::AllocationOrder, which is nobody's but the allocator's: what is hinted at first.
  std::vector<llvm::MCPhysReg> registersFor(const llvm::LiveInterval& range) const {
    const llvm::ArrayRef<llvm::MCPhysReg> order = RegClassInfo.getOrder(MRI->getRegClass(range.reg()));
    llvm::SmallVector<llvm::MCPhysReg, 16> hints;
    TRI->getRegAllocationHints(range.reg(), order, hints, MF, VRM, Matrix);
    std::vector<llvm::MCPhysReg> registers(hints.begin(), hints.end());
    for (const llvm::MCPhysReg one : order)
      if (!llvm::is_contained(hints, one)) registers.push_back(one);
    return registers;
  }

  void remark(const llvm::LiveInterval& range, llvm::MCRegister usual, llvm::MCRegister advised) const {
    llvm::MachineOptimizationRemarkEmitter remarks(const_cast<llvm::MachineFunction&>(MF), nullptr);
    remarks.emit([&] {
      const auto say = [&](llvm::MCRegister one) { return one ? TRI->getName(one) : "nothing"; };
      llvm::MachineBasicBlock* const block = LIS->getMBBFromIndex(range.beginIndex());
      return llvm::MachineOptimizationRemark(kRemarks, "Advised", block->findDebugLoc(block->begin()), block)
             << llvm::DiagnosticInfoOptimizationBase::Argument("Advised", say(advised))
             << " is freed, and by LLVM it were "
             << llvm::DiagnosticInfoOptimizationBase::Argument("Usual", say(usual)) << ": advised by Ordo";
    });
  }

  std::unique_ptr<RegAllocEvictionAdvisor> usual_, model_;
  Asked& asked_;
};

class Provider final : public llvm::RegAllocEvictionAdvisorProvider {
 public:
  Provider(llvm::LLVMContext& context, std::unique_ptr<env::Advisor> advisor, EvictionScope scope)
      : RegAllocEvictionAdvisorProvider(AdvisorMode::Default, context) {
    asked_.advisor = std::move(advisor);
    asked_.scope = std::move(scope);
  }

  std::unique_ptr<llvm::RegAllocEvictionAdvisor> getAdvisor(const llvm::MachineFunction& function,
                                                            const llvm::RAGreedy& allocator,
                                                            llvm::MachineBlockFrequencyInfo* frequencies,
                                                            llvm::MachineLoopInfo* loops) override {
    std::unique_ptr<llvm::RegAllocEvictionAdvisor> model;
    const bool is_outside = asked_.scope.as_learned && (!function.getFunction().hasOptSize() ||
                                                        function.getInstructionCount() > kMostInstructions);
    if (is_outside || !asked_.advisor)
      return std::make_unique<llvm::DefaultEvictionAdvisor>(function, allocator);
    if (!models_) {
      open([&] { model = models_->getAdvisor(function, allocator, frequencies, loops); });
    } else {
      model = models_->getAdvisor(function, allocator, frequencies, loops);
    }
    if (!asked_.channel) return std::make_unique<llvm::DefaultEvictionAdvisor>(function, allocator);
    return std::make_unique<Advised>(function, allocator, std::move(model), asked_);
  }

 private:
  // Where something goes wrong there is no advisor afterwards.
  template <typename Make>
  void open(const Make& make) {
    const std::lock_guard lock(g_mutex);
    auto& options = llvm::cl::getRegisteredOptions();
    const auto option = options.find(kChannel);
    if (option != options.end()) {
      auto& base = static_cast<llvm::cl::opt<std::string>&>(*option->second);
      const std::string before = base.getValue();
      asked_.channel = Channel::make([&](const std::string& channel) {
        base.setValue(channel);
        models_.reset(llvm::createReleaseModeAdvisorProvider(Ctx));
        make();
        base.setValue(before);
      });
    }
    if (asked_.channel) return;
    static const bool said = [] {
      llvm::errs() << "ordo: no register is evicted by advice: pipes of this LLVM cannot be had\n";
      return true;
    }();
    (void)said;
    asked_.advisor.reset();
  }

  Asked asked_;
  std::unique_ptr<llvm::RegAllocEvictionAdvisorProvider> models_;
};

class Analysis final : public llvm::RegAllocEvictionAdvisorAnalysisLegacy {
 public:
  Analysis(MakeAdvisor make, EvictionScope scope)
      : RegAllocEvictionAdvisorAnalysisLegacy(AdvisorMode::Default),
        make_(std::move(make)),
        scope_(std::move(scope)) {}

 private:
  bool doInitialization(llvm::Module& module) override {
    std::unique_ptr<env::Advisor> advisor;
    if (!scope_.as_learned || module.getTargetTriple().getArch() == llvm::Triple::x86_64) advisor = make_();
    if (advisor) advisor->begin(module.getModuleIdentifier());
    Provider = std::make_unique<advisors::Provider>(module.getContext(), std::move(advisor), scope_);
    return false;
  }

  MakeAdvisor make_;
  EvictionScope scope_;
};

llvm::Pass* makeAnalysis() {
  const std::lock_guard lock(g_mutex);
  if (MakeAdvisor chosen = chosenEviction())
    return new Analysis(std::move(chosen), {.as_learned = true, .asked_in = {}});
  return g_make ? new Analysis(g_make, g_scope) : g_usual();
}

}  // namespace

void adviseEviction(MakeAdvisor make, EvictionScope scope) {
  adviseByChoice();
  const std::lock_guard lock(g_mutex);
  g_make = std::move(make);
  g_scope = std::move(scope);
}

void adviseByChoice() {
  llvm::PassRegistry& passes = *llvm::PassRegistry::getPassRegistry();
  llvm::initializeRegAllocEvictionAdvisorAnalysisLegacyPass(passes);
  const std::lock_guard lock(g_mutex);
  if (g_usual != nullptr) return;
  // The registry hands out what it keeps as const, for who only looks passes up.
  auto* const info =
      const_cast<llvm::PassInfo*>(passes.getPassInfo(&llvm::RegAllocEvictionAdvisorAnalysisLegacy::ID));
  g_usual = info->getNormalCtor();
  info->setNormalCtor(makeAnalysis);
}

}  // namespace ordo::advisors
