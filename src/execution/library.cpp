#include "execution/library.h"

#include <cctype>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "execution/run.h"

namespace ordo::execution {
namespace {

// ---- Checks, in watched modules only ----------------------------------------------------------------------

std::uintptr_t at(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void reads(const void* from, std::size_t size) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  if (size > 0 && !machine.onStack(at(from)))
    machine.require(machine.memory().read(at(from), size, Kind::kInteger));
}

void writes(void* to, std::size_t size) {
  Machine& machine = Machine::current();
  machine.burn(1 + size / 8);
  if (size > 0 && !machine.onStack(at(to))) machine.require(machine.memory().write(at(to), size));
}

// Reads a string, at most `most` bytes of it, and says how long it is.
std::size_t readsString(const char* text, std::size_t most = SIZE_MAX) {
  std::size_t length = 0;
  while (length < most) {
    reads(text + length, 1);
    if (text[length] == '\0') break;
    ++length;
  }
  return length;
}

void apart(const void* a, const void* b, std::size_t size) {
  if (at(a) < at(b) + size && at(b) < at(a) + size) Machine::current().giveUp("copies onto itself");
}

// ---- The heap
// ----------------------------------------------------------------------------------------------

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

// ---- Memory and strings
// ------------------------------------------------------------------------------------

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

// ---- Numbers in text
// ---------------------------------------------------------------------------------------

template <auto function, typename Value>
Value parseInteger(const char* text, char** end, int base) {
  readsString(text);
  if (end != nullptr) writes(end, sizeof *end);
  return function(text, end, base);
}
template <auto function, typename Value>
Value parseFloat(const char* text, char** end) {
  readsString(text);
  if (end != nullptr) writes(end, sizeof *end);
  return function(text, end);
}
template <auto function, typename Value>
Value parseOnly(const char* text) {
  readsString(text);
  return function(text);
}

// ---- Characters
// --------------------------------------------------------------------------------------------

template <auto function>
int ofCharacter(int character) {
  if (character < -1 || character > 255) Machine::current().giveUp("asks about what is no character");
  return function(character);
}

// ---- Output
// ------------------------------------------------------------------------------------------------

constexpr std::uintptr_t kStandardOutput = 1;

std::uintptr_t streamOf(const void* file) { return at(file); }

int printTo(std::uintptr_t file, const char* format, std::va_list arguments) {
  std::array<char, 4096> text;
  const int size = std::vsnprintf(text.data(), text.size(), format, arguments);
  if (size < 0 || static_cast<std::size_t>(size) >= text.size())
    Machine::current().giveUp("prints too much at once");
  Machine::current().wrote(file, {text.data(), static_cast<std::size_t>(size)});
  return size;
}

// Arguments of the watched are read by the C library itself: what was never written is not noticed.
// NOLINTBEGIN(cert-dcl50-cpp): these are what C calls.
int print(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int size = printTo(kStandardOutput, format, arguments);
  va_end(arguments);
  return size;
}
int printToFile(void* file, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int size = printTo(streamOf(file), format, arguments);
  va_end(arguments);
  return size;
}
int printToString(char* to, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return length;
}
int printToStringWatched(char* to, std::size_t size, const char* format, ...) {
  std::array<char, 4096> text;
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  if (length < 0 || static_cast<std::size_t>(length) >= text.size())
    Machine::current().giveUp("prints too much at once");
  if (size == 0) return length;
  const std::size_t written = std::min(size - 1, static_cast<std::size_t>(length));
  writes(to, written + 1);
  std::memcpy(to, text.data(), written);
  to[written] = '\0';
  return length;
}
int printToLongString(char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
int printToLongStringWatched(char* to, const char* format, ...) {
  std::array<char, 4096> text;
  std::va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  if (length < 0 || static_cast<std::size_t>(length) >= text.size())
    Machine::current().giveUp("prints too much at once");
  writes(to, static_cast<std::size_t>(length) + 1);
  std::memcpy(to, text.data(), static_cast<std::size_t>(length) + 1);
  return length;
}
// NOLINTEND(cert-dcl50-cpp)

int putLine(const char* text) {
  Machine::current().wrote(kStandardOutput, text);
  Machine::current().wrote(kStandardOutput, "\n");
  return 1;
}
int putLineWatched(const char* text) {
  readsString(text);
  return putLine(text);
}
int putCharacterTo(int character, void* file) {
  const char byte = static_cast<char>(character);
  Machine::current().wrote(streamOf(file), {&byte, 1});
  return static_cast<unsigned char>(byte);
}
int putCharacter(int character) {
  const char byte = static_cast<char>(character);
  Machine::current().wrote(kStandardOutput, {&byte, 1});
  return static_cast<unsigned char>(byte);
}
int putString(const char* text, void* file) {
  Machine::current().wrote(streamOf(file), text);
  return 1;
}
int putStringWatched(const char* text, void* file) {
  readsString(text);
  return putString(text, file);
}
std::size_t putBytes(const void* bytes, std::size_t size, std::size_t count, void* file) {
  Machine::current().wrote(streamOf(file), {static_cast<const char*>(bytes), size * count});
  return size == 0 ? 0 : count;
}
std::size_t putBytesWatched(const void* bytes, std::size_t size, std::size_t count, void* file) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(size, count, &all)) Machine::current().giveUp("writes too much");
  reads(bytes, all);
  return putBytes(bytes, size, count, file);
}
int flush(void*) { return 0; }

// ---- The rest
// ----------------------------------------------------------------------------------------------

int nextRandom() {
  std::uint64_t& seed = Machine::current().seed();
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int>(seed >> 33);
}
void seedRandom(unsigned seed) { Machine::current().seed() = seed; }
[[noreturn]] void leaveAbort() { Machine::current().leave(); }
[[noreturn]] void leaveExit(int status) {
  const std::string event = "exit " + std::to_string(status & 0xff);
  Machine::current().wrote(0, event);
  Machine::current().leave();
}
int absolute(int value) {
  if (value == INT32_MIN) Machine::current().giveUp("overflows");
  return std::abs(value);
}
long absoluteLong(long value) {
  if (value == INT64_MIN) Machine::current().giveUp("overflows");
  return std::labs(value);
}
// Bottom-up merge sort: stable, so that the order of equal elements is nobody's choice, and it calls back in
// the same order in every version.
void sortArray(void* base, std::size_t count, std::size_t size, int (*compare)(const void*, const void*)) {
  if (count < 2 || size == 0) return;
  auto* bytes = static_cast<std::byte*>(base);
  for (std::size_t i = 1; i < count; ++i) {
    std::size_t low = 0, high = i;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (compare(bytes + middle * size, bytes + i * size) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
    for (std::size_t j = i; j > low; --j)
      std::swap_ranges(bytes + j * size, bytes + (j + 1) * size, bytes + (j - 1) * size);
  }
}
void sortArrayWatched(void* base, std::size_t count, std::size_t size,
                      int (*compare)(const void*, const void*)) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(size, count, &all) || count > 1000) Machine::current().giveUp("sorts too much");
  reads(base, all);
  writes(base, all);
  sortArray(base, count, size, compare);
}

template <typename Function>
void* code(Function* function) {
  return reinterpret_cast<void*>(function);
}

template <typename Function>
LibraryFunction both(std::string_view name, Function* function) {
  return {name, code(function), code(function)};
}

using OfDouble = double(double);
using OfFloat = float(float);
using OfDoubles = double(double, double);
using OfFloats = float(float, float);

template <typename Function>
LibraryFunction maths(std::string_view name, Function* function) {
  return both(name, function);
}

std::vector<LibraryFunction> makeLibrary() {
  std::vector<LibraryFunction> all{
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
      {"strdup", code(duplicate), code(duplicateWatched)},
      {"strtol", code(std::strtol), code(parseInteger<std::strtol, long>)},
      {"strtoul", code(std::strtoul), code(parseInteger<std::strtoul, unsigned long>)},
      {"strtoll", code(std::strtoll), code(parseInteger<std::strtoll, long long>)},
      {"strtoull", code(std::strtoull), code(parseInteger<std::strtoull, unsigned long long>)},
      {"strtod", code(std::strtod), code(parseFloat<std::strtod, double>)},
      {"strtof", code(std::strtof), code(parseFloat<std::strtof, float>)},
      {"atoi", code(std::atoi), code(parseOnly<std::atoi, int>)},
      {"atol", code(std::atol), code(parseOnly<std::atol, long>)},
      {"atof", code(std::atof), code(parseOnly<std::atof, double>)},
      both("printf", print),
      both("fprintf", printToFile),
      {"snprintf", code(printToString), code(printToStringWatched)},
      {"sprintf", code(printToLongString), code(printToLongStringWatched)},
      {"puts", code(putLine), code(putLineWatched)},
      both("putchar", putCharacter),
      both("putchar_unlocked", putCharacter),
      both("fputc", putCharacterTo),
      both("putc", putCharacterTo),
      {"fputs", code(putString), code(putStringWatched)},
      {"fwrite", code(putBytes), code(putBytesWatched)},
      both("fflush", flush),
      both("rand", nextRandom),
      both("srand", seedRandom),
      both("abort", leaveAbort),
      both("exit", leaveExit),
      both("abs", absolute),
      both("labs", absoluteLong),
      both("llabs", absoluteLong),
      {"qsort", code(sortArray), code(sortArrayWatched)},
  };
#define ORDO_CHARACTER(name)                                     \
  all.push_back({#name, code(static_cast<int (*)(int)>(::name)), \
                 code(ofCharacter<static_cast<int (*)(int)>(::name)>)});
  ORDO_CHARACTER(isalnum)
  ORDO_CHARACTER(isalpha) ORDO_CHARACTER(isdigit) ORDO_CHARACTER(isxdigit) ORDO_CHARACTER(
      islower) ORDO_CHARACTER(isupper) ORDO_CHARACTER(isspace) ORDO_CHARACTER(isprint) ORDO_CHARACTER(ispunct)
      ORDO_CHARACTER(iscntrl) ORDO_CHARACTER(isgraph) ORDO_CHARACTER(isblank) ORDO_CHARACTER(tolower)
          ORDO_CHARACTER(toupper)
#undef ORDO_CHARACTER
#define ORDO_MATHS(name)                                                \
  all.push_back(both<OfDouble>(#name, static_cast<OfDouble*>(::name))); \
  all.push_back(both<OfFloat>(#name "f", static_cast<OfFloat*>(::name##f)));
              ORDO_MATHS(sin) ORDO_MATHS(cos) ORDO_MATHS(tan) ORDO_MATHS(asin) ORDO_MATHS(acos)
                  ORDO_MATHS(atan) ORDO_MATHS(sinh) ORDO_MATHS(cosh) ORDO_MATHS(tanh) ORDO_MATHS(exp)
                      ORDO_MATHS(exp2) ORDO_MATHS(expm1) ORDO_MATHS(log) ORDO_MATHS(log2) ORDO_MATHS(log10)
                          ORDO_MATHS(log1p) ORDO_MATHS(sqrt) ORDO_MATHS(cbrt) ORDO_MATHS(fabs)
                              ORDO_MATHS(floor) ORDO_MATHS(ceil) ORDO_MATHS(round) ORDO_MATHS(trunc)
                                  ORDO_MATHS(rint) ORDO_MATHS(nearbyint) ORDO_MATHS(roundeven)
#undef ORDO_MATHS
#define ORDO_MATHS(name)                                                  \
  all.push_back(both<OfDoubles>(#name, static_cast<OfDoubles*>(::name))); \
  all.push_back(both<OfFloats>(#name "f", static_cast<OfFloats*>(::name##f)));
                                      ORDO_MATHS(pow) ORDO_MATHS(atan2) ORDO_MATHS(fmod) ORDO_MATHS(hypot)
                                          ORDO_MATHS(fmin) ORDO_MATHS(fmax) ORDO_MATHS(copysign) ORDO_MATHS(
                                              remainder) ORDO_MATHS(fdim)
#undef ORDO_MATHS
                                              all.push_back(both<double(double, int)>(
                                                  "ldexp", static_cast<double (*)(double, int)>(::ldexp)));
  all.push_back(both<float(float, int)>("ldexpf", ::ldexpf));
  all.push_back(
      both<double(double, double, double)>("fma", static_cast<double (*)(double, double, double)>(::fma)));
  all.push_back(both<float(float, float, float)>("fmaf", ::fmaf));
  return all;
}

}  // namespace

std::span<const LibraryFunction> library() {
  static const std::vector<LibraryFunction> all = makeLibrary();
  return all;
}

}  // namespace ordo::execution
