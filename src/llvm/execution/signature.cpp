#include "llvm/execution/signature.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstring>

namespace ordo::execution {
namespace {

void flatten(llvm::Type* type, const llvm::DataLayout& layout, std::size_t offset, std::vector<Part>& parts) {
  const auto bits = static_cast<std::uint32_t>(layout.getTypeSizeInBits(type).getFixedValue());
  if (type->isPointerTy()) {
    parts.push_back({offset, {Type::kPointer, bits}});
  } else if (type->isIntegerTy()) {
    parts.push_back({offset, {Type::kInteger, bits}});
  } else if (type->isFloatingPointTy()) {
    parts.push_back({offset, {Type::kFloat, bits}});
  } else if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      flatten(record->getElementType(i), layout, offset + layout.getStructLayout(record)->getElementOffset(i),
              parts);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      flatten(array->getElementType(), layout, offset + i * layout.getTypeAllocSize(array->getElementType()),
              parts);
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const std::uint64_t size = layout.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      flatten(vector->getElementType(), layout, offset + i * size, parts);
  }
}

std::vector<std::uint64_t> numbersOf(const llvm::Function& function) {
  std::vector<std::uint64_t> numbers;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::GetElementPtrInst, llvm::AllocaInst>(instruction)) continue;
    for (const llvm::Use& use : instruction.operands()) {
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(use);
      if (constant != nullptr && constant->getBitWidth() > 1 && constant->getBitWidth() <= 64)
        numbers.push_back(static_cast<std::uint64_t>(constant->getSExtValue()));
    }
  }
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  return numbers;
}

}  // namespace

Signature describeSignature(const llvm::Function& function) {
  Signature into;
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (const llvm::Argument& argument : function.args()) {
    std::vector<Part> parts;
    flatten(argument.getType(), layout, 0, parts);
    std::vector<Argument> made;
    for (const Part& part : parts) {
      Argument one{.part = part};
      one.dereferenceable = argument.getDereferenceableBytes();
      one.nonnull = argument.hasNonNullAttr() || one.dereferenceable > 0;
      one.output = argument.hasStructRetAttr();
      if (argument.hasByValAttr()) one.passed = layout.getTypeAllocSize(argument.getParamByValType());
      if (const auto range = argument.getRange(); range && range->getBitWidth() <= 64) {
        one.low = range->getSignedMin().getSExtValue();
        one.high = range->getSignedMax().getSExtValue();
      }
      made.push_back(one);
    }
    into.arguments.push_back(std::move(made));
  }
  if (!function.getReturnType()->isVoidTy()) flatten(function.getReturnType(), layout, 0, into.result);
  into.numbers = numbersOf(function);
  return into;
}

std::string makeArguments(const Signature& signature, Memory& memory, Rng& rng, std::span<Slot> slots) {
  std::string told;
  for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
    for (const Argument& argument : signature.arguments[i]) {
      const Part& part = argument.part;
      const auto bytes = std::span(slots[i].bytes).subspan(part.offset, (part.shape.bits + 7) / 8);
      std::string word;
      if (part.shape.type == Type::kPointer) {
        const bool null = !argument.nonnull && argument.passed == 0 && !argument.output && rng.chance(0.06);
        std::byte* buffer = null ? nullptr : memory.newBuffer(argument.output);
        std::memcpy(bytes.data(), &buffer, sizeof buffer);
        word = null ? "null" : fmt::format("buffer {}", memory.buffers() - 1);
        // The caller copies it, and no check sees that.
        for (std::uint64_t at = 0; at < argument.passed && at < Memory::kBufferBytes; at += 4)
          memory.read(reinterpret_cast<std::uintptr_t>(buffer) + at,
                      std::min<std::uint64_t>(4, argument.passed - at), Kind::kInteger);
      } else {
        memory.makeValue(bytes, part.shape.type == Type::kFloat ? Kind::kFloat : Kind::kInteger, argument.low,
                         argument.high);
        if (part.shape.type == Type::kFloat) {
          double value = 0;
          float narrow = 0;
          std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
          std::memcpy(&narrow, bytes.data(), sizeof narrow);
          word = bytes.size() == 4 ? fmt::format("{}", narrow) : fmt::format("{}", value);
        } else {
          std::uint64_t value = 0;
          if (part.shape.bits % 8 != 0) bytes.back() &= std::byte((1u << part.shape.bits % 8) - 1);
          std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
          const unsigned unused = part.shape.bits < 64 ? 64 - part.shape.bits : 0;
          word = fmt::format("{}", static_cast<std::int64_t>(value << unused) >> unused);
        }
      }
      told += (told.empty() ? "" : ", ") + word;
    }
  }
  return told;
}

}  // namespace ordo::execution
