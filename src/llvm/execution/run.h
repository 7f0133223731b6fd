// One call of a compiled function at a time, with everything that can happen to it: it returns, leaves
// through a function that does not return, crashes, does not end, or turns out to say nothing.
//
// Compiled code calls back: what a watched module does to memory, and every call of a function that the
// module does not define. Such a function is recorded with its arguments and answers from the input, the same
// for every version; of the C library, much is modelled (library.h).
//
// Threads: one in the process, because signal handlers and compiled code know no other state. Signals for
// crashes and processor time are taken while something runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llvm/execution/memory.h"
#include "support/rng.h"

namespace ordo::execution {

// An argument or a result, whatever its type.
struct alignas(64) Slot {
  std::array<std::byte, 64> bytes{};
};

// How the value in a slot is to be read. The bits beyond `bits` mean nothing.
enum class Type : std::uint32_t { kNone, kInteger, kFloat, kPointer, kOther };
struct Shape {
  Type type = Type::kNone;
  std::uint32_t bits = 0;
};

// What is known of a function that a module only declares; laid out for compiled code.
struct Foreign {
  const char* name;
  std::uint32_t arguments;
  const Shape* shapes;  // of the arguments, then of the result
  // For each argument: whether the function may write what it points at.
  const std::uint8_t* writes;
  std::uint8_t pure;     // its calls may be removed and repeated: they are no event
  std::uint8_t leaves;   // it does not return
  std::uint8_t nonnull;  // its result
};

// What of an outcome can be compared between versions, where addresses differ: what kind of place a pointer
// points at, and where in it.
struct Place {
  enum class In : std::uint8_t { kNowhere, kInput, kHeap, kLocal, kNamed, kModule };
  In in = In::kNowhere;
  std::uint64_t where = 0;  // kNowhere, kInput: the address; kNamed: a hash of name and offset; else 0
  bool operator==(const Place&) const = default;
};

// The variables and functions of one linked image, by address.
class Symbols {
 public:
  void add(std::uintptr_t address, std::size_t size, std::string_view name, bool visible, bool function);
  // REQUIRES: everything was added.
  void sort();
  // What other modules cannot name is only known to be in the module.
  Place locate(std::uintptr_t address) const;
  bool isFunction(std::uintptr_t address) const;

 private:
  struct Entry {
    std::uintptr_t address = 0;
    std::size_t size = 0;
    std::uint64_t name = 0;  // hash
    bool visible = false, function = false;
  };
  std::vector<Entry> entries_;
};

enum class Ending : std::uint8_t { kReturned, kLeft, kVoid, kCrashed, kHung };

struct Outcome {
  Ending ending = Ending::kVoid;
  std::string why;     // of kVoid and kCrashed
  Slot value;          // of kReturned
  std::string events;  // what others were told, as bytes to compare
};

class Machine {
 public:
  Machine();
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  // The beginning of an input: answers of other functions are forgotten, and made from `rng`.
  void beginInput(Rng rng);

  struct Limits {
    std::uint64_t fuel = 400'000;  // what a watched function may do: blocks and accesses
    double cpu_s = 1;              // of any function
  };
  using Entry = void (*)(Slot* slots);
  Outcome run(Entry entry, Slot* slots, const Symbols& symbols, const Limits& limits);

  // Which blocks were entered by watched functions, by number.
  std::vector<bool>& blocks() { return blocks_; }

  // For callbacks: the machine that runs.
  static Machine& current();
  // Ends the run: the input says nothing. Does not return.
  [[noreturn]] void giveUp(Problem problem);
  void require(Problem problem) {
    if (problem != nullptr) giveUp(problem);
  }
  [[noreturn]] void leave();
  void burn(std::uint64_t fuel);
  void foreign(const Foreign& function, Slot* slots);
  // Bytes for a file, as one event with those just before them for the same.
  void wrote(std::uintptr_t file, std::string_view bytes);
  // What is left of the text that can be read from a file; the same text from each.
  std::string_view unread(std::uintptr_t file) { return std::string_view(text_).substr(read_[file]); }
  void took(std::uintptr_t file, std::size_t bytes) { read_[file] += bytes; }
  Place locate(std::uintptr_t address) const;
  bool isFunction(std::uintptr_t address) const { return symbols_->isFunction(address); }
  bool onStack(std::uintptr_t address) const;
  std::uint64_t& seed() { return seed_; }  // of rand()
  std::size_t depth = 0;                   // of calls of watched functions

 private:
  struct Answer {
    std::string name;
    Slot value;
    std::vector<std::pair<std::uint32_t, std::string>> written;  // argument, bytes
  };
  std::string describe(const Foreign& function, const Slot* slots) const;
  Answer makeAnswer(const Foreign& function, const Slot* slots);

  Memory memory_;
  Rng rng_{0};
  const Symbols* symbols_ = nullptr;
  std::uint64_t fuel_ = 0, seed_ = 1;
  std::uintptr_t stack_low_ = 0, stack_high_ = 0;
  std::string events_;
  std::uintptr_t last_file_ = 0;
  bool last_wrote_ = false;
  std::vector<Answer> answers_;  // of this input, in order
  std::size_t asked_ = 0;        // in this run
  std::map<std::string, Slot> pure_answers_;
  std::vector<bool> blocks_;
  std::string text_;                            // of files, for this input
  std::map<std::uintptr_t, std::size_t> read_;  // of it, from each file
};

}  // namespace ordo::execution
