// profileOf() and setProfile() go through the module in one order; what one appends, the other takes from the
// front. setProfile() first collects everything and changes the module only once all numbers have fitted. So
// that it need not check each, Numbers remembers that one was wrong and gives valid ones from then on. In
// LLVM a value profile knows functions by hashes of their names; here they are places in the module.
#include "llvm/ir/profile.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/IR/ProfileSummary.h>
#include <llvm/ProfileData/InstrProf.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace ordo::ir {
namespace {

constexpr std::int64_t kInlineHint = 1, kCold = 2;

// How many ways an instruction can go; 0 if there is no choice.
std::size_t waysOf(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::SelectInst>(instruction)) return 2;
  const unsigned ways = instruction.isTerminator() ? instruction.getNumSuccessors() : 0;
  return ways > 1 ? ways : 0;
}

std::int64_t hotnessOf(const llvm::Function& function) {
  return (function.hasFnAttribute(llvm::Attribute::InlineHint) ? kInlineHint : 0) |
         (function.hasFnAttribute(llvm::Attribute::Cold) ? kCold : 0);
}

void addFunction(const llvm::Function& function, std::vector<std::int64_t>& to) {
  const std::optional<llvm::Function::ProfileCount> entries = function.getEntryCount();
  to.push_back(hotnessOf(function));
  to.push_back(entries ? static_cast<std::int64_t>(entries->getCount()) : kNoWeights);
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      const std::size_t ways = waysOf(instruction);
      if (ways == 0) continue;
      llvm::SmallVector<std::uint32_t, 8> weights;
      if (llvm::extractBranchWeights(instruction, weights) && weights.size() == ways)
        to.insert(to.end(), weights.begin(), weights.end());
      else
        to.push_back(kNoWeights);
    }
  }
}

using Values = llvm::SmallVector<InstrProfValueData, 4>;

// What is usual at an instruction, if values are counted at such (LLVM's value profile does so).
std::optional<llvm::InstrProfValueKind> usualAt(const llvm::Instruction& instruction) {
  if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    if (llvm::isa<llvm::ConstantInt>(memory->getLength())) return std::nullopt;
    return llvm::IPVK_MemOPSize;
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call != nullptr && call->isIndirectCall()) return llvm::IPVK_IndirectCallTarget;
  return std::nullopt;
}

// By which a value profile knows a function.
std::uint64_t hashOf(const llvm::Function& function) {
  return llvm::IndexedInstrProf::ComputeHash(llvm::getIRPGOFuncName(function));
}

constexpr std::int64_t kMostCount = std::numeric_limits<std::int64_t>::max();

// Functions of other modules are left out: nothing can be made of them here.
void addValues(const llvm::Module& module, std::vector<std::int64_t>& to) {
  constexpr std::uint32_t kMostValues = 255;
  std::map<std::uint64_t, std::uint64_t> places;
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) places.emplace(hashOf(function), places.size());
  std::int64_t site = -1;
  for (const llvm::Function& function : module) {
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        const std::optional<llvm::InstrProfValueKind> kind = usualAt(instruction);
        if (!kind) continue;
        ++site;
        std::uint64_t total = 0;
        Values values;
        for (InstrProfValueData value :
             llvm::getValueProfDataFromInst(instruction, *kind, kMostValues, total)) {
          if (*kind == llvm::IPVK_IndirectCallTarget) {
            const auto place = places.find(value.Value);
            if (place == places.end()) continue;
            value.Value = place->second;
          }
          if (std::max(value.Value, value.Count) <= std::uint64_t{kMostCount}) values.push_back(value);
        }
        if (values.empty() || total > std::uint64_t{kMostCount}) continue;
        to.insert(to.end(), {site, static_cast<std::int64_t>(total), std::ssize(values)});
        for (const InstrProfValueData& value : values)
          to.insert(to.end(),
                    {static_cast<std::int64_t>(value.Value), static_cast<std::int64_t>(value.Count)});
      }
    }
  }
}

// Takes numbers from the front. Once they ran out, or one is not as it must be, nothing is right any more.
class Numbers {
 public:
  explicit Numbers(std::span<const std::int64_t> numbers) : numbers_(numbers) {}

  // From `least` to `most`; `least` once there was a wrong one.
  std::int64_t next(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
    if (numbers_.empty() || numbers_.front() < least || numbers_.front() > most) right_ = false;
    if (!right_) return least;
    const std::int64_t number = numbers_.front();
    numbers_ = numbers_.subspan(1);
    return number;
  }
  std::size_t left() const { return numbers_.size(); }
  bool right() const { return right_; }

 private:
  std::span<const std::int64_t> numbers_;
  bool right_ = true;
};

// The last that LLVM writes. It asks for none beyond, and aborts the process if there is no entry for one.
constexpr std::int64_t kLastCutoff = 999'999;
constexpr std::int64_t kMost32 = std::numeric_limits<std::uint32_t>::max();

std::unique_ptr<llvm::ProfileSummary> readSummary(Numbers& numbers) {
  const auto details = static_cast<std::size_t>(numbers.next(0));
  std::uint64_t counts[4];  // total, max, max internal, max of functions
  for (std::uint64_t& count : counts) count = static_cast<std::uint64_t>(numbers.next(0));
  const auto all_counts = static_cast<std::uint32_t>(numbers.next(0, kMost32));
  const auto functions = static_cast<std::uint32_t>(numbers.next(0, kMost32));
  llvm::SummaryEntryVector entries;
  if (details > numbers.left()) return nullptr;
  std::int64_t cutoff = 0;
  for (std::size_t i = 0; i < details; ++i) {
    cutoff = numbers.next(cutoff, llvm::ProfileSummary::Scale);
    const auto least = static_cast<std::uint64_t>(numbers.next(0));
    entries.push_back(
        {static_cast<std::uint32_t>(cutoff), least, static_cast<std::uint64_t>(numbers.next(0))});
  }
  if (!numbers.right() || cutoff < kLastCutoff) return nullptr;
  return std::make_unique<llvm::ProfileSummary>(llvm::ProfileSummary::PSK_Instr, entries, counts[0],
                                                counts[1], counts[2], counts[3], all_counts, functions);
}

struct Choice {
  llvm::Instruction* instruction;
  llvm::SmallVector<std::uint32_t, 2> weights;
};

struct Entered {
  llvm::Function* function;
  std::int64_t hotness, entries;
};

struct Usual {
  llvm::Instruction* instruction;
  llvm::InstrProfValueKind kind;
  std::uint64_t total;
  Values values;
};

// For those that `sites` has in their order, of which the functions are `entered`.
std::vector<Usual> readValues(Numbers& numbers, std::span<llvm::Instruction* const> sites,
                              std::span<const Entered> entered) {
  std::vector<Usual> all;
  std::int64_t least = 0;
  while (numbers.right() && numbers.left() > 0 && std::cmp_less(least, sites.size())) {
    const std::int64_t site = numbers.next(least, std::ssize(sites) - 1);
    least = site + 1;
    llvm::Instruction* const instruction = sites[static_cast<std::size_t>(site)];
    Usual& usual = all.emplace_back(instruction, *usualAt(*instruction));
    std::int64_t rest = numbers.next(1);
    usual.total = static_cast<std::uint64_t>(rest);
    const bool calls = usual.kind == llvm::IPVK_IndirectCallTarget;
    for (std::int64_t left = numbers.next(1); left > 0 && numbers.right(); --left) {
      const std::int64_t value = numbers.next(0, calls ? std::ssize(entered) - 1 : kMostCount);
      // LLVM takes counts from the total one after the other.
      const std::int64_t count = numbers.next(0, rest);
      rest -= count;
      usual.values.push_back({calls ? hashOf(*entered[static_cast<std::size_t>(value)].function)
                                    : static_cast<std::uint64_t>(value),
                              static_cast<std::uint64_t>(count)});
    }
  }
  return all;
}

}  // namespace

std::vector<std::int64_t> profileOf(const llvm::Module& module) {
  llvm::Metadata* const metadata = module.getProfileSummary(/*IsCS=*/false);
  if (metadata == nullptr) return {};
  const std::unique_ptr<llvm::ProfileSummary> summary(llvm::ProfileSummary::getFromMD(metadata));
  if (!summary || summary->getKind() != llvm::ProfileSummary::PSK_Instr) return {};
  std::vector<std::int64_t> numbers;
  const auto add = [&](std::uint64_t number) { numbers.push_back(static_cast<std::int64_t>(number)); };
  add(summary->getDetailedSummary().size());
  add(summary->getTotalCount());
  add(summary->getMaxCount());
  add(summary->getMaxInternalCount());
  add(summary->getMaxFunctionCount());
  add(summary->getNumCounts());
  add(summary->getNumFunctions());
  for (const llvm::ProfileSummaryEntry& entry : summary->getDetailedSummary()) {
    add(entry.Cutoff);
    add(entry.MinCount);
    add(entry.NumCounts);
  }
  for (const llvm::Function& function : module)
    if (!function.isDeclaration()) addFunction(function, numbers);
  addValues(module, numbers);
  return numbers;
}

bool setProfile(llvm::Module& module, std::span<const std::int64_t> profile) {
  if (module.getProfileSummary(/*IsCS=*/false) != nullptr) return false;
  Numbers numbers(profile);
  const std::unique_ptr<llvm::ProfileSummary> summary = readSummary(numbers);
  std::vector<Entered> functions;
  std::vector<Choice> choices;
  std::vector<llvm::Instruction*> sites;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const std::int64_t hotness = numbers.next(0, kInlineHint | kCold);
    functions.push_back({&function, hotness, numbers.next(kNoWeights)});
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (usualAt(instruction)) sites.push_back(&instruction);
        const std::size_t ways = waysOf(instruction);
        if (ways == 0) continue;
        Choice choice{&instruction, {}};
        const std::int64_t first = numbers.next(kNoWeights, kMost32);
        if (first == kNoWeights) continue;
        choice.weights.push_back(static_cast<std::uint32_t>(first));
        while (choice.weights.size() < ways && numbers.right())
          choice.weights.push_back(static_cast<std::uint32_t>(numbers.next(0, kMost32)));
        choices.push_back(std::move(choice));
      }
    }
  }
  const std::vector<Usual> usual = readValues(numbers, sites, functions);
  if (!summary || !numbers.right() || numbers.left() != 0) return false;

  module.setProfileSummary(summary->getMD(module.getContext()), llvm::ProfileSummary::PSK_Instr);
  for (const Entered& entered : functions) {
    if (entered.hotness & kInlineHint) entered.function->addFnAttr(llvm::Attribute::InlineHint);
    if (entered.hotness & kCold) entered.function->addFnAttr(llvm::Attribute::Cold);
    if (entered.entries != kNoWeights)
      entered.function->setEntryCount(static_cast<std::uint64_t>(entered.entries));
  }
  for (const Choice& choice : choices)
    llvm::setBranchWeights(*choice.instruction, choice.weights, /*IsExpected=*/false);
  for (const Usual& at : usual)
    llvm::annotateValueSite(module, *at.instruction, at.values, at.total, at.kind,
                            static_cast<std::uint32_t>(at.values.size()));
  return true;
}

}  // namespace ordo::ir
