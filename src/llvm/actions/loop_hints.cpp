#include "llvm/actions/loop_hints.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <bit>
#include <charconv>

#include "llvm/ir/loops.h"

namespace ordo::actions {
namespace {

constexpr std::string_view kLoopPass = "ordo-loop<";

// The number that all of `text` is.
template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Cuts `text` after the next `separator` and returns what was before it.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return head;
}

class Attributes {
 public:
  explicit Attributes(llvm::LLVMContext& context) : context_(context) {}

  // {name, value}, in place of what was said of it before.
  void set(llvm::StringRef name, std::optional<unsigned> value) {
    if (!value) return;
    llvm::Metadata* const number =
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), *value));
    replaced_.push_back(name);
    added_.push_back(llvm::MDNode::get(context_, {llvm::MDString::get(context_, name), number}));
  }

  llvm::MDNode* onto(llvm::MDNode* loop_id) const {
    return llvm::makePostTransformationMetadata(context_, loop_id, replaced_, added_);
  }

 private:
  llvm::LLVMContext& context_;
  llvm::SmallVector<llvm::StringRef, 3> replaced_;
  llvm::SmallVector<llvm::MDNode*, 3> added_;
};

}  // namespace

std::optional<LoopHint> parseLoopHint(std::string_view pass) {
  if (!pass.starts_with(kLoopPass) || !pass.ends_with('>')) return std::nullopt;
  pass.remove_prefix(kLoopPass.size());
  pass.remove_suffix(1);
  const std::optional<std::size_t> loop = number<std::size_t>(cut(pass, ';'));
  if (!loop || pass.empty()) return std::nullopt;
  LoopHint hint{*loop, {}, {}, {}};
  while (!pass.empty()) {
    std::string_view value = cut(pass, ';');
    const std::string_view name = cut(value, '=');
    const bool interleave = name == "interleave";
    std::optional<unsigned>& place = interleave        ? hint.interleave
                                     : name == "width" ? hint.width
                                                       : hint.unroll;
    if ((!interleave && name != "width" && name != "unroll") || place) return std::nullopt;
    place = number<unsigned>(value);
    if (!place || !std::has_single_bit(*place) || *place > (interleave ? 16U : 64U)) return std::nullopt;
  }
  return hint;
}

bool isOrdered(llvm::Loop& loop) {
  // Whoever asks whether it is a reduction has to have seen to both.
  const bool canonical = loop.getLoopPreheader() != nullptr && loop.getLoopLatch() != nullptr;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isFPOrFPVectorTy()) continue;
    llvm::RecurrenceDescriptor reduction;
    if (!canonical || !llvm::RecurrenceDescriptor::isReductionPHI(&phi, &loop, reduction) ||
        reduction.hasExactFPMath())
      return true;
  }
  return false;
}

void giveHint(llvm::Loop& loop, const LoopHint& hint) {
  Attributes attributes(loop.getHeader()->getContext());
  attributes.set("llvm.loop.vectorize.width", hint.width);
  attributes.set("llvm.loop.interleave.count", hint.interleave);
  attributes.set("llvm.loop.unroll.count", hint.unroll);
  loop.setLoopID(attributes.onto(loop.getLoopID()));
}

bool applyLoopHint(llvm::Module& module, const LoopHint& hint) {
  bool changed = false;
  ir::visitInnermostLoops(module, [&](std::size_t number, llvm::Loop& loop) {
    if (number != hint.loop) return true;
    if (hint.width.value_or(1) > 1 && isOrdered(loop)) return false;
    giveHint(loop, hint);
    changed = true;
    return false;
  });
  return changed;
}

}  // namespace ordo::actions
