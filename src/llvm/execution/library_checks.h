// What the watched versions of library functions check, and how a function becomes an entry of the library.
#pragma once

#include <cstdint>

#include "llvm/execution/library.h"
#include "llvm/execution/run.h"

namespace ordo::execution {

inline std::uintptr_t at(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

inline void reads(const void* from, std::size_t size) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  if (size > 0 && !machine.onStack(at(from)))
    machine.require(machine.memory().read(at(from), size, Kind::kInteger));
}

inline void writes(void* to, std::size_t size) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  if (size > 0 && !machine.onStack(at(to))) machine.require(machine.memory().write(at(to), size));
}

// Reads a string, at most `most` bytes of it, and says how long it is.
inline std::size_t readsString(const char* text, std::size_t most = SIZE_MAX) {
  std::size_t length = 0;
  while (length < most) {
    reads(text + length, 1);
    if (text[length] == '\0') break;
    ++length;
  }
  return length;
}

inline void apart(const void* a, const void* b, std::size_t size) {
  if (at(a) < at(b) + size && at(b) < at(a) + size) Machine::current().giveUp("copies onto itself");
}

template <typename Function>
void* code(Function* function) {
  return reinterpret_cast<void*>(function);
}

template <typename Function>
LibraryFunction both(std::string_view name, Function* function) {
  return {name, code(function), code(function)};
}

}  // namespace ordo::execution
