// The memory that a function works on while it is watched or compared: input buffers, a heap and locals, and
// for each of their bytes whether it may be read.
//
// Inputs are made as they are read ("lazily"): a byte of an input buffer is fresh until a watched function
// reads it as an integer, a floating-point number or a pointer, and becomes such a value then; a pointer
// becomes another fresh buffer. So structures that nobody described get contents of the right shape. What was
// made is the input: later runs, of whatever version, begin with the same bytes at the same addresses.
//
// Threads: one. Failure: a limit that is hit is a Problem, like an access that C forbids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "support/rng.h"

namespace ordo::execution {

// Why an input says nothing about the optimiser: undefined behaviour, or a limit of ours. Null is none.
using Problem = const char*;

enum class Kind : std::uint8_t { kInteger, kFloat, kPointer };

enum class Byte : std::uint8_t {
  kKnown,    // has a value
  kFresh,    // of an input, and nobody has read or written it
  kUnknown,  // was never written: reading it is undefined
  kGone,     // freed, or a local out of its scope
};

struct Object {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  Byte* state = nullptr;  // of each byte; null: all are known
  bool writable = true;
};

// A variable of a module, as one linked image of it has it.
struct Variable {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  bool writable = true;
  bool visible = false;  // to other modules
};

class Memory {
 public:
  // Larger than what functions do with a few small numbers. Buffers lie apart, so that an access past
  // the end of one is in none.
  static constexpr std::size_t kBufferBytes = 4096;

  Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  // An input begins: everything is empty again. The first `reserved` buffers are in use, as variables that
  // other modules define. `variables` are those of the watched image; with `fresh_variables`, those that
  // other modules see are inputs too. `numbers` are integers worth trying.
  void beginInput(Rng rng, std::size_t reserved, std::span<const Variable> variables, bool fresh_variables,
                  std::span<const std::uint64_t> numbers);

  // Another run of this input: memory is as it was at its beginning, and nothing is fresh any more.
  // `variables` are those of the image that will run, as many and in the same order.
  void beginRun(std::span<const Variable> variables);

  // A buffer of the input, or null when there are no more. An output has nothing in it that may be read.
  std::byte* newBuffer(bool output = false);
  std::byte* buffer(std::size_t index) const { return inputs_ + index * 2 * kBufferBytes; }
  std::size_t buffers() const { return used_; }
  const Byte* bufferState(std::size_t index) const { return input_state_ + index * kBufferBytes; }

  // A value for `out.size()` bytes; an integer is in [low, high] if that is not empty.
  void makeValue(std::span<std::byte> out, Kind kind, std::int64_t low = 0, std::int64_t high = 0);

  // Heap and locals. Null: no more memory, which the caller reports as a limit.
  std::byte* allocate(std::size_t size, std::size_t align);
  Problem release(std::uintptr_t address);
  std::size_t heapSize(std::uintptr_t address) const;  // of the block that begins there; 0 if none does
  std::byte* pushLocal(std::size_t size, std::size_t align);
  std::size_t locals() const { return locals_.size(); }
  void popLocals(std::size_t count);

  // What a watched function does, and whether it may.
  Problem read(std::uintptr_t address, std::size_t size, Kind kind, std::int64_t low = 0,
               std::int64_t high = 0);
  Problem write(std::uintptr_t address, std::size_t size, bool known = true);
  Problem copy(std::uintptr_t to, std::uintptr_t from, std::size_t size);
  Problem scope(std::uintptr_t address, bool begins);

  const Object* find(std::uintptr_t address) const;
  // The block of the heap, or the local, that `address` is in or just behind.
  const Object* findHeap(std::uintptr_t address) const;
  bool isInput(std::uintptr_t address) const;
  bool isLocal(std::uintptr_t address) const;
  const std::vector<Object>& heap() const { return heap_; }

  // Makes `object` known besides: tables of the C library.
  void addConstant(const void* begin, std::size_t size);

 private:
  struct Patch {
    std::size_t variable = 0, offset = 0;
    std::byte value{};
  };

  void clear();
  std::uint64_t makeInteger(std::size_t bits);
  void freshen(const Object& object, std::uintptr_t address, std::size_t size, Kind kind, std::int64_t low,
               std::int64_t high);

  std::byte* inputs_;
  std::byte* initial_;  // what each input buffer held at the beginning
  Byte* input_state_;
  std::byte* heap_bytes_;
  Byte* heap_state_;
  std::byte* local_bytes_;
  Byte* local_state_;

  Rng rng_{0};
  std::vector<std::uint64_t> numbers_;
  bool fresh_variables_ = false;
  std::size_t reserved_ = 0, used_ = 0, made_ = 0;
  std::size_t heap_end_ = 0, local_end_ = 0;
  std::vector<Object> heap_, locals_, globals_;
  std::vector<Object> constants_;
  std::vector<std::size_t> outputs_;  // buffers
  std::vector<std::vector<Byte>> variable_state_;
  std::vector<std::size_t> variable_of_global_;
  std::vector<Patch> patches_;
  mutable Object found_;
};

}  // namespace ordo::execution
