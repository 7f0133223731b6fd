#include "mlir/model/limits.h"

#include <algorithm>

namespace ordo::model {
namespace {

Registers ofThisProcessor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {32, 16};
  if (__builtin_cpu_supports("avx2")) return {16, 8};
  return {16, 4};
#else
  return {32, 4};  // NEON
#endif
}

}  // namespace

const Registers& registers() {
  static const Registers found = ofThisProcessor();
  return found;
}

double lanesOf(std::int64_t bytes) {
  constexpr double kFloat = 4;
  return std::max(1.0, kFloat * static_cast<double>(registers().lanes) / static_cast<double>(bytes));
}

}  // namespace ordo::model
