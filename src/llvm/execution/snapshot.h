// What others can see after a run, kept to be compared with what another version of the function left.
#pragma once

#include <string>
#include <vector>

#include "llvm/execution/image.h"
#include "llvm/execution/run.h"

namespace ordo::execution {

// A part of a value in a slot.
struct Part {
  std::size_t offset = 0;  // bytes
  Shape shape;
};

struct Snapshot {
  struct Region {
    std::string name;  // for people
    std::uintptr_t begin = 0;
    std::vector<std::byte> bytes;
    std::vector<Byte> states;  // as the run knew them; empty: all are known
  };
  Outcome outcome;
  std::vector<Region> regions;  // input buffers, then variables that other modules see
  std::vector<Region> heap;     // in order of address
  const Symbols* symbols = nullptr;

  const Region* block(std::uintptr_t address) const;  // of the heap, that `address` is in
};

// Of the run that just ended. `variables` as in Memory::beginRun(), with their `names`. The image must
// outlive it.
Snapshot capture(const Memory& memory, Outcome outcome, std::span<const Variable> variables,
                 const std::vector<std::string>& names, const Symbols& symbols);

// In one line, what a watched run shows that another does not do in the same way; "" if nothing. `result` are
// the parts of the value that was returned. Bytes that the watched run left undefined do not count, NaNs are
// alike, and pointers are equal if they point at the same place in blocks of the same contents.
std::string difference(const Machine& machine, const Snapshot& watched, const Snapshot& other,
                       const std::vector<Part>& result);

}  // namespace ordo::execution
