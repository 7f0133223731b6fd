// A table of functions, each as it is and as watched code calls it. Templates put checks before the C
// library's own (parseInteger(), ofCharacter()); what only computes is the same in both forms (both()). Where
// the C library has state or a choice of its own there is a function of ours, so that all versions see the
// same: rand() has its seed in the Machine, exit() and abort() leave the run, qsort() is stable and calls
// back in a fixed order.
#include "llvm/execution/library.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "llvm/execution/library_checks.h"

namespace ordo::execution {
namespace {

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

template <auto function>
int ofCharacter(int character) {
  if (character < -1 || character > 255) Machine::current().giveUp("asks about what is no character");
  return function(character);
}

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
// Insertion sort, with the place found by halving: stable, so that the order of equal elements is nobody's
// choice, and it calls back in the same order in every version.
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

int atExit(void (*)(void*), void*, void*) { return 0; }

using OfDouble = double(double);
using OfFloat = float(float);
using OfDoubles = double(double, double);
using OfFloats = float(float, float);

// Overloads of one name, by their type.
#define ORDO_CHARACTER(name) \
  {#name, code(static_cast<int (*)(int)>(::name)), code(ofCharacter<static_cast<int (*)(int)>(::name)>)}
#define ORDO_OF_ONE(name)                                \
  both<OfDouble>(#name, static_cast<OfDouble*>(::name)), \
      both<OfFloat>(#name "f", static_cast<OfFloat*>(::name##f))
#define ORDO_OF_TWO(name)                                  \
  both<OfDoubles>(#name, static_cast<OfDoubles*>(::name)), \
      both<OfFloats>(#name "f", static_cast<OfFloats*>(::name##f))

std::vector<LibraryFunction> overloads() {
  return {ORDO_CHARACTER(isalnum),
          ORDO_CHARACTER(isalpha),
          ORDO_CHARACTER(isdigit),
          ORDO_CHARACTER(isxdigit),
          ORDO_CHARACTER(islower),
          ORDO_CHARACTER(isupper),
          ORDO_CHARACTER(isspace),
          ORDO_CHARACTER(isprint),
          ORDO_CHARACTER(ispunct),
          ORDO_CHARACTER(iscntrl),
          ORDO_CHARACTER(isgraph),
          ORDO_CHARACTER(isblank),
          ORDO_CHARACTER(tolower),
          ORDO_CHARACTER(toupper),
          ORDO_OF_ONE(sin),
          ORDO_OF_ONE(cos),
          ORDO_OF_ONE(tan),
          ORDO_OF_ONE(asin),
          ORDO_OF_ONE(acos),
          ORDO_OF_ONE(atan),
          ORDO_OF_ONE(sinh),
          ORDO_OF_ONE(cosh),
          ORDO_OF_ONE(tanh),
          ORDO_OF_ONE(exp),
          ORDO_OF_ONE(exp2),
          ORDO_OF_ONE(expm1),
          ORDO_OF_ONE(log),
          ORDO_OF_ONE(log2),
          ORDO_OF_ONE(log10),
          ORDO_OF_ONE(log1p),
          ORDO_OF_ONE(sqrt),
          ORDO_OF_ONE(cbrt),
          ORDO_OF_ONE(fabs),
          ORDO_OF_ONE(floor),
          ORDO_OF_ONE(ceil),
          ORDO_OF_ONE(round),
          ORDO_OF_ONE(trunc),
          ORDO_OF_ONE(rint),
          ORDO_OF_ONE(nearbyint),
          ORDO_OF_ONE(roundeven),
          ORDO_OF_TWO(pow),
          ORDO_OF_TWO(atan2),
          ORDO_OF_TWO(fmod),
          ORDO_OF_TWO(hypot),
          ORDO_OF_TWO(fmin),
          ORDO_OF_TWO(fmax),
          ORDO_OF_TWO(copysign),
          ORDO_OF_TWO(remainder),
          ORDO_OF_TWO(fdim),
          both<double(double, int)>("ldexp", static_cast<double (*)(double, int)>(::ldexp)),
          both<float(float, int)>("ldexpf", ::ldexpf),
          both<double(double, double, double)>("fma", static_cast<double (*)(double, double, double)>(::fma)),
          both<float(float, float, float)>("fmaf", ::fmaf)};
}

#undef ORDO_CHARACTER
#undef ORDO_OF_ONE
#undef ORDO_OF_TWO

std::vector<LibraryFunction> makeLibrary() {
  std::vector<LibraryFunction> all{
      {"strtol", code(std::strtol), code(parseInteger<std::strtol, long>)},
      {"strtoul", code(std::strtoul), code(parseInteger<std::strtoul, unsigned long>)},
      {"strtoll", code(std::strtoll), code(parseInteger<std::strtoll, long long>)},
      {"strtoull", code(std::strtoull), code(parseInteger<std::strtoull, unsigned long long>)},
      {"strtod", code(std::strtod), code(parseFloat<std::strtod, double>)},
      {"strtof", code(std::strtof), code(parseFloat<std::strtof, float>)},
      {"atoi", code(std::atoi), code(parseOnly<std::atoi, int>)},
      {"atol", code(std::atol), code(parseOnly<std::atol, long>)},
      {"atof", code(std::atof), code(parseOnly<std::atof, double>)},
      both("__cxa_atexit", atExit),
      both("rand", nextRandom),
      both("srand", seedRandom),
      both("abort", leaveAbort),
      both("exit", leaveExit),
      both("__ctype_b_loc", __ctype_b_loc),
      both("__ctype_tolower_loc", __ctype_tolower_loc),
      both("__ctype_toupper_loc", __ctype_toupper_loc),
      both("abs", absolute),
      both("labs", absoluteLong),
      both("llabs", absoluteLong),
      {"qsort", code(sortArray), code(sortArrayWatched)}};
  for (const auto& part : {memoryFunctions(), streamFunctions(), overloads()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const LibraryFunction> library() {
  static const std::vector<LibraryFunction> all = makeLibrary();
  return all;
}

}  // namespace ordo::execution
