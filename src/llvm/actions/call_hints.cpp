#include "llvm/actions/call_hints.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <charconv>

#include "llvm/ir/calls.h"

namespace ordo::actions {
namespace {

using llvm::Attribute;

constexpr std::string_view kCallPass = "ordo-call<", kInline = ";alwaysinline>", kKeep = ";noinline>";

bool mayBeDecided(const llvm::CallBase& call) {
  const llvm::Function& caller = *call.getCaller();
  const llvm::Function& callee = *call.getCalledFunction();
  for (const Attribute::AttrKind said :
       {Attribute::AlwaysInline, Attribute::NoInline, Attribute::OptimizeNone, Attribute::Naked})
    if (callee.hasFnAttribute(said)) return false;
  if (caller.hasFnAttribute(Attribute::OptimizeNone) || callee.isInterposable()) return false;
  // A wish to inline would be granted here although the callee needs instructions that the caller has not.
  for (const char* target : {"target-cpu", "target-features"})
    if (caller.getFnAttribute(target) != callee.getFnAttribute(target)) return false;
  return llvm::AttributeFuncs::areInlineCompatible(caller, callee);
}

}  // namespace

std::optional<CallHint> parseCallHint(std::string_view pass) {
  if (!pass.starts_with(kCallPass)) return std::nullopt;
  pass.remove_prefix(kCallPass.size());
  CallHint hint;
  const auto [end, error] = std::from_chars(pass.data(), pass.data() + pass.size(), hint.call);
  if (error != std::errc{}) return std::nullopt;
  pass.remove_prefix(static_cast<std::size_t>(end - pass.data()));
  if (pass != kInline && pass != kKeep) return std::nullopt;
  hint.inlined = pass == kInline;
  return hint;
}

bool applyCallHint(llvm::Module& module, const CallHint& hint) {
  bool changed = false;
  ir::visitCalls(module, /*with_heat=*/false, [&](const ir::CallSite& site) {
    if (site.number != hint.call) return true;
    const Attribute::AttrKind given = hint.inlined ? Attribute::AlwaysInline : Attribute::NoInline;
    const Attribute::AttrKind other = hint.inlined ? Attribute::NoInline : Attribute::AlwaysInline;
    if (site.call->getAttributes().hasFnAttr(given) || !mayBeDecided(*site.call)) return false;
    site.call->removeFnAttr(other);
    site.call->addFnAttr(given);
    changed = true;
    return false;
  });
  return changed;
}

}  // namespace ordo::actions
