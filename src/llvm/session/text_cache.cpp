#include "llvm/session/text_cache.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ir/isolate.h"
#include "llvm/ir/target.h"

namespace ordo::session {
namespace {

// Costs in instructions emitted, about 25 us each.
constexpr double kEmission = 28;               // any emission, however small
constexpr double kFingerprint = 1.0 / 20;      // for each instruction
constexpr double kRecovery = 1.0 / 10;         // credit for each whole emission, so that bad times end
constexpr double kMostCredit = 4;              // in whole emissions
constexpr std::size_t kMostEntries = 1 << 12;  // about half a kilobyte each

// Whether pieces make the whole: symbols of aliases and what is kept for the linker alone are in no piece.
bool isSumOfParts(const llvm::Module& module) {
  return module.alias_empty() && module.getNamedGlobal("llvm.used") == nullptr && ir::separable(module);
}

std::optional<ir::TextPieces> emitAlone(const Result<ir::OwnedModule>& module, llvm::TargetMachine& machine,
                                        std::uint64_t align) {
  if (!module) return std::nullopt;
  const Result<std::string> object = ir::emit(**module, machine, ir::EmitKind::kObject);
  if (!object) return std::nullopt;
  Result<ir::TextPieces> pieces = ir::textPieces(*object, align);
  if (!pieces) return std::nullopt;
  return std::move(*pieces);
}

double cost(std::span<const ir::FunctionFingerprint> run) {
  double instructions = kEmission;
  for (const ir::FunctionFingerprint& function : run)
    instructions += static_cast<double>(function.instructions);
  return instructions;
}

}  // namespace

std::optional<ir::TextSizes> TextCache::sizes(const llvm::Module& module,
                                              const std::function<const std::string&()>& bitcode,
                                              llvm::TargetMachine& machine) {
  const std::lock_guard lock(mutex_);
  if (!worthTrying(module.getInstructionCount()) || !isSumOfParts(module)) return std::nullopt;
  const ir::ModuleFingerprint state = ir::fingerprint(module);
  const double whole = cost(state.functions);
  double missing = 0;
  for (const ir::FunctionFingerprint& each : state.functions)
    if (!known_.contains(each.hash)) missing += cost({&each, 1});
  credit_ -= kFingerprint * whole;
  if (missing > whole + credit_) return std::nullopt;
  const std::optional<ir::TextSizes> sizes = sum(state, bitcode, machine);
  if (sizes) credit_ = std::min(credit_ + whole, std::max(advance_, kMostCredit) * whole);
  return sizes;
}

bool TextCache::worthTrying(std::size_t instructions) {
  const double whole = kEmission + static_cast<double>(instructions);
  // Of many programs only one state is ever measured.
  if (std::exchange(first_, false)) {
    credit_ = advance_ * whole;
    return false;
  }
  if (credit_ >= 0) return true;
  credit_ += kRecovery * whole;
  return false;
}

std::optional<ir::TextSizes> TextCache::sum(const ir::ModuleFingerprint& state, const Bitcode& bitcode,
                                            llvm::TargetMachine& machine) {
  if (known_.size() + state.functions.size() > kMostEntries) known_.clear();
  std::vector<Run> runs;
  for (const ir::FunctionFingerprint& each : state.functions) runs.push_back({&each, 1});
  while (true) {
    ir::TextLayout layout;
    for (const Run run : runs) {
      const ir::TextPieces* pieces = functions(run, bitcode, machine);
      if (pieces == nullptr) return std::nullopt;
      layout.add(*pieces);
    }
    const auto near = layout.nearJump();
    if (!near) {
      const ir::TextPieces* rest = globals(state.globals, layout.end(".rodata"), bitcode, machine);
      if (rest == nullptr) return std::nullopt;
      layout.add(*rest);
      return layout.sizes();
    }
    // Those who jump to each other are emitted together, and what lies between them.
    const auto [first, last] = *near;
    const auto begin = runs.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = runs.begin() + static_cast<std::ptrdiff_t>(last);
    *begin = Run(begin->data(), end->data() + end->size());
    runs.erase(begin + 1, end + 1);
  }
}

const ir::TextPieces* TextCache::functions(Run run, const Bitcode& bitcode, llvm::TargetMachine& machine) {
  Hash128 key = run.front().hash;
  if (run.size() > 1) {
    std::string hashes;
    for (const ir::FunctionFingerprint& each : run)
      hashes.append(reinterpret_cast<const char*>(&each.hash), sizeof each.hash);
    key = hashBytes(hashes);
  }
  const auto [entry, is_new] = known_.try_emplace(key);
  // Padding between functions depends on where the first one begins, unless all are aligned alike.
  const bool alike = std::all_of(run.begin(), run.end(), [&](const ir::FunctionFingerprint& each) {
    return each.align == run.front().align;
  });
  if (is_new && alike) {
    std::vector<std::string_view> names;
    for (const ir::FunctionFingerprint& each : run) names.push_back(each.name);
    entry->second = emitAlone(ir::isolateFunctions(bitcode(), names), machine, run.front().align);
    credit_ -= cost(run);
  }
  return entry->second ? &*entry->second : nullptr;
}

const ir::TextPieces* TextCache::globals(const Hash128& hash, std::size_t behind, const Bitcode& bitcode,
                                         llvm::TargetMachine& machine) {
  constexpr std::size_t kMostAlign = 64;
  behind %= kMostAlign;
  Hash128 key = hash;
  key.low += behind;
  const auto [entry, is_new] = known_.try_emplace(key);
  if (is_new) {
    entry->second = emitAlone(ir::isolateGlobals(bitcode(), behind), machine, 1);
    if (entry->second) entry->second->dropFiller(behind);
    credit_ -= kEmission;
  }
  return entry->second ? &*entry->second : nullptr;
}

}  // namespace ordo::session
