// What a function takes and gives, and arguments for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "llvm/execution/memory.h"
#include "llvm/execution/snapshot.h"

namespace llvm {
class Function;
}

namespace ordo::execution {

// How to make a part of an argument.
struct Argument {
  Part part;  // in its slot; several for vectors and structs
  std::uint64_t dereferenceable = 0;
  bool nonnull = false;
  std::uint64_t passed = 0;  // bytes that are passed behind the pointer, by value
  bool output = false;       // sret: nothing is there yet
  std::int64_t low = 0, high = 0;
};

struct Signature {
  std::vector<std::vector<Argument>> arguments;  // several parts for vectors and structs
  std::vector<Part> result;
  // Integers that a function computes and compares with: these, and those near them, are what makes it do
  // something else.
  std::vector<std::uint64_t> numbers;
};

Signature describeSignature(const llvm::Function& function);

// Fills a slot for each argument, and says with what, for people: "3, buffer 0, -1". Buffers are of the input
// that has begun.
std::string makeArguments(const Signature& signature, Memory& memory, Rng& rng, std::span<Slot> slots);

}  // namespace ordo::execution
