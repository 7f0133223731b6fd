#include "llvm/session/function_cache.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string_view>
#include <vector>

#include "llvm/ir/fingerprint.h"
#include "llvm/ir/isolate.h"
#include "llvm/ir/target.h"

namespace ordo::session {
namespace {

constexpr std::size_t kMostKnown = 1 << 16;  // about 50 bytes each

}  // namespace

std::optional<std::map<std::string, std::uint64_t>> FunctionCache::sizes(
    const llvm::Module& module, const std::string& around, const std::function<const std::string&()>& bitcode,
    llvm::TargetMachine& machine) {
  if (!ir::separable(module)) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const Hash128 place = hashBytes(fmt::format("{}\n{}", module.getTargetTriple().str(), around));
  ir::ModuleFingerprint state = ir::fingerprint(module);
  // Such as merged functions have: they cannot be asked for.
  std::erase_if(state.functions,
                [](const ir::FunctionFingerprint& function) { return function.name.empty(); });
  const auto keyOf = [&](const ir::FunctionFingerprint& function) {
    return Hash128{function.hash.low ^ place.low, function.hash.high ^ place.high};
  };
  if (known_.size() + state.functions.size() > kMostKnown) known_.clear();
  std::vector<std::string_view> missing;
  for (const ir::FunctionFingerprint& function : state.functions)
    if (!known_.contains(keyOf(function))) missing.push_back(function.name);
  std::map<std::string, std::uint64_t> made;
  if (!missing.empty()) {
    const Result<ir::OwnedModule> alone = ir::isolateFunctions(bitcode(), missing);
    if (!alone) return std::nullopt;
    std::size_t number = 0;
    for (llvm::Function& function : **alone)
      if (!function.isDeclaration()) function.setSection(fmt::format(".text.{}", number++));
    const Result<std::string> object = ir::emit(**alone, machine, ir::EmitKind::kObject);
    if (!object) return std::nullopt;
    made = ir::functionBytes(*object);
  }
  std::map<std::string, std::uint64_t> all;
  for (const ir::FunctionFingerprint& function : state.functions) {
    const std::string symbol = ir::symbolOf(*module.getFunction(function.name));
    if (const auto now = made.find(symbol); now != made.end()) known_.emplace(keyOf(function), now->second);
    if (const auto known = known_.find(keyOf(function)); known != known_.end())
      all.emplace(symbol, known->second);
  }
  return all;
}

}  // namespace ordo::session
