#include "execution/library.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "execution/library_checks.h"

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

int atExit(void (*)(void*), void*, void*) { return 0; }

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
  for (const auto& part : {memoryFunctions(), streamFunctions()})
    all.insert(all.end(), part.begin(), part.end());

#define ORDO_CHARACTER(name)                                     \
  all.push_back({#name, code(static_cast<int (*)(int)>(::name)), \
                 code(ofCharacter<static_cast<int (*)(int)>(::name)>)});
  ORDO_CHARACTER(isalnum)
  ORDO_CHARACTER(isalpha)
  ORDO_CHARACTER(isdigit)
  ORDO_CHARACTER(isxdigit)
  ORDO_CHARACTER(islower)
  ORDO_CHARACTER(isupper)
  ORDO_CHARACTER(isspace)
  ORDO_CHARACTER(isprint)
  ORDO_CHARACTER(ispunct)
  ORDO_CHARACTER(iscntrl)
  ORDO_CHARACTER(isgraph) ORDO_CHARACTER(isblank) ORDO_CHARACTER(tolower) ORDO_CHARACTER(toupper)
#undef ORDO_CHARACTER
#define ORDO_MATHS(name)                                                \
  all.push_back(both<OfDouble>(#name, static_cast<OfDouble*>(::name))); \
  all.push_back(both<OfFloat>(#name "f", static_cast<OfFloat*>(::name##f)));
      ORDO_MATHS(sin) ORDO_MATHS(cos) ORDO_MATHS(tan) ORDO_MATHS(asin) ORDO_MATHS(acos) ORDO_MATHS(atan)
          ORDO_MATHS(sinh) ORDO_MATHS(cosh) ORDO_MATHS(tanh) ORDO_MATHS(exp) ORDO_MATHS(exp2)
              ORDO_MATHS(expm1) ORDO_MATHS(log) ORDO_MATHS(log2) ORDO_MATHS(log10) ORDO_MATHS(log1p)
                  ORDO_MATHS(sqrt) ORDO_MATHS(cbrt) ORDO_MATHS(fabs) ORDO_MATHS(floor) ORDO_MATHS(ceil)
                      ORDO_MATHS(round) ORDO_MATHS(trunc) ORDO_MATHS(rint) ORDO_MATHS(nearbyint)
                          ORDO_MATHS(roundeven)
#undef ORDO_MATHS
#define ORDO_MATHS(name)                                                  \
  all.push_back(both<OfDoubles>(#name, static_cast<OfDoubles*>(::name))); \
  all.push_back(both<OfFloats>(#name "f", static_cast<OfFloats*>(::name##f)));
                              ORDO_MATHS(pow) ORDO_MATHS(atan2) ORDO_MATHS(fmod) ORDO_MATHS(hypot)
                                  ORDO_MATHS(fmin) ORDO_MATHS(fmax) ORDO_MATHS(copysign) ORDO_MATHS(remainder)
                                      ORDO_MATHS(fdim)
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
