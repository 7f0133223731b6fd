#include "mlir/model/limits.h"

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

}  // namespace ordo::model
