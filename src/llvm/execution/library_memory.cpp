// Heap, memory and strings.
#include <cstdlib>
#include <cstring>

#include "llvm/execution/library_checks.h"

namespace ordo::execution {
namespace {

void* allocate(std::size_t size) {
  std::byte* block = Machine::current().memory().allocate(size, 16);
  if (block == nullptr) Machine::current().giveUp("needs too much memory");
  return block;
}
void* allocateAligned(std::size_t align, std::size_t size) {
  if (align == 0 || (align & (align - 1)) != 0) Machine::current().giveUp("asks for an odd alignment");
  std::byte* block = Machine::current().memory().allocate(size, align);
  if (block == nullptr) Machine::current().giveUp("needs too much memory");
  return block;
}
void* allocateZero(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) Machine::current().giveUp("needs too much memory");
  void* block = allocate(bytes);
  std::memset(block, 0, bytes);
  if (bytes > 0) Machine::current().memory().write(at(block), bytes);
  return block;
}
void release(void* block) { Machine::current().require(Machine::current().memory().release(at(block))); }
void releaseSized(void* block, std::size_t) { release(block); }
void* reallocate(void* block, std::size_t size) {
  void* larger = allocate(size);
  if (block == nullptr) return larger;
  Memory& memory = Machine::current().memory();
  const std::size_t old = memory.heapSize(at(block));
  Machine::current().require(memory.copy(at(larger), at(block), std::min(old, size)));
  std::memcpy(larger, block, std::min(old, size));
  release(block);
  return larger;
}

void* copyMemory(void* to, const void* from, std::size_t size) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  if (size > 0 && !machine.onStack(at(to)) && !machine.onStack(at(from)))
    machine.require(machine.memory().copy(at(to), at(from), size));
  return std::memmove(to, from, size);
}
void* copyApart(void* to, const void* from, std::size_t size) {
  apart(to, from, size);
  return copyMemory(to, from, size);
}
void* copyAndSkip(void* to, const void* from, std::size_t size) {
  return static_cast<char*>(copyApart(to, from, size)) + size;
}
void* fill(void* to, int value, std::size_t size) {
  writes(to, size);
  return std::memset(to, value, size);
}
int compareMemory(const void* a, const void* b, std::size_t size) {
  reads(a, size);
  reads(b, size);
  const int order = std::memcmp(a, b, size);
  return (order > 0) - (order < 0);
}
int comparePlain(const void* a, const void* b, std::size_t size) {
  const int order = std::memcmp(a, b, size);
  return (order > 0) - (order < 0);
}
const void* findByte(const void* from, int byte, std::size_t size) {
  reads(from, size);
  return std::memchr(from, byte, size);
}
std::size_t length(const char* text) { return readsString(text); }
std::size_t lengthAtMost(const char* text, std::size_t most) { return readsString(text, most); }
int sign(int order) { return (order > 0) - (order < 0); }
int compareStrings(const char* a, const char* b) {
  readsString(a);
  readsString(b);
  return sign(std::strcmp(a, b));
}
int comparePlainStrings(const char* a, const char* b) { return sign(std::strcmp(a, b)); }
int compareBeginnings(const char* a, const char* b, std::size_t most) {
  readsString(a, most);
  readsString(b, most);
  return sign(std::strncmp(a, b, most));
}
int comparePlainBeginnings(const char* a, const char* b, std::size_t most) {
  return sign(std::strncmp(a, b, most));
}
char* copyString(char* to, const char* from) {
  const std::size_t size = readsString(from) + 1;
  apart(to, from, size);
  writes(to, size);
  return std::strcpy(to, from);
}
char* copyStringAndSkip(char* to, const char* from) { return copyString(to, from) + std::strlen(from); }
char* copyBeginning(char* to, const char* from, std::size_t size) {
  readsString(from, size);
  writes(to, size);
  return std::strncpy(to, from, size);
}
char* appendString(char* to, const char* from) {
  const std::size_t begin = readsString(to);
  copyString(to + begin, from);
  return to;
}
char* appendBeginning(char* to, const char* from, std::size_t most) {
  const std::size_t begin = readsString(to), size = readsString(from, most);
  writes(to + begin, size + 1);
  return std::strncat(to, from, most);
}
const char* findInString(const char* text, int byte) {
  readsString(text);
  return std::strchr(text, byte);
}
const char* findLastInString(const char* text, int byte) {
  readsString(text);
  return std::strrchr(text, byte);
}
const char* findString(const char* text, const char* word) {
  readsString(text);
  readsString(word);
  return std::strstr(text, word);
}
std::size_t spanOf(const char* text, const char* set) {
  readsString(text);
  readsString(set);
  return std::strspn(text, set);
}
std::size_t spanUntil(const char* text, const char* set) {
  readsString(text);
  readsString(set);
  return std::strcspn(text, set);
}
const char* findAny(const char* text, const char* set) {
  readsString(text);
  readsString(set);
  return std::strpbrk(text, set);
}
char* duplicate(const char* text) {
  const std::size_t size = std::strlen(text) + 1;
  char* copy = static_cast<char*>(allocate(size));
  Machine::current().memory().write(at(copy), size);
  std::memcpy(copy, text, size);
  return copy;
}
char* duplicateWatched(const char* text) {
  readsString(text);
  return duplicate(text);
}

}  // namespace

std::vector<LibraryFunction> memoryFunctions() {
  return {
      both("malloc", allocate),
      both("calloc", allocateZero),
      both("realloc", reallocate),
      both("free", release),
      both("aligned_alloc", allocateAligned),
      both("_Znwm", allocate),
      both("_Znam", allocate),
      both("_ZdlPv", release),
      both("_ZdaPv", release),
      both("_ZdlPvm", releaseSized),
      both("_ZdaPvm", releaseSized),
      {"memcpy", code(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memcpy)), code(copyApart)},
      {"memmove", code(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memmove)),
       code(copyMemory)},
      {"mempcpy", code(static_cast<void* (*)(void*, const void*, std::size_t)>(::mempcpy)),
       code(copyAndSkip)},
      {"memset", code(static_cast<void* (*)(void*, int, std::size_t)>(std::memset)), code(fill)},
      {"memcmp", code(comparePlain), code(compareMemory)},
      {"bcmp", code(comparePlain), code(compareMemory)},
      {"memchr", code(static_cast<const void* (*)(const void*, int, std::size_t)>(std::memchr)),
       code(findByte)},
      {"strlen", code(static_cast<std::size_t (*)(const char*)>(std::strlen)), code(length)},
      {"strnlen", code(static_cast<std::size_t (*)(const char*, std::size_t)>(::strnlen)),
       code(lengthAtMost)},
      {"strcmp", code(comparePlainStrings), code(compareStrings)},
      {"strncmp", code(comparePlainBeginnings), code(compareBeginnings)},
      {"strcpy", code(static_cast<char* (*)(char*, const char*)>(std::strcpy)), code(copyString)},
      {"stpcpy", code(static_cast<char* (*)(char*, const char*)>(::stpcpy)), code(copyStringAndSkip)},
      {"strncpy", code(static_cast<char* (*)(char*, const char*, std::size_t)>(std::strncpy)),
       code(copyBeginning)},
      {"strcat", code(static_cast<char* (*)(char*, const char*)>(std::strcat)), code(appendString)},
      {"strncat", code(static_cast<char* (*)(char*, const char*, std::size_t)>(std::strncat)),
       code(appendBeginning)},
      {"strchr", code(static_cast<const char* (*)(const char*, int)>(std::strchr)), code(findInString)},
      {"strrchr", code(static_cast<const char* (*)(const char*, int)>(std::strrchr)), code(findLastInString)},
      {"strstr", code(static_cast<const char* (*)(const char*, const char*)>(std::strstr)), code(findString)},
      {"strspn", code(static_cast<std::size_t (*)(const char*, const char*)>(std::strspn)), code(spanOf)},
      {"strcspn", code(static_cast<std::size_t (*)(const char*, const char*)>(std::strcspn)),
       code(spanUntil)},
      {"strpbrk", code(static_cast<const char* (*)(const char*, const char*)>(std::strpbrk)), code(findAny)},
      {"strdup", code(duplicate), code(duplicateWatched)}};
}

}  // namespace ordo::execution
