// What cachegrind writes about a program, which may write into the same folder.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "running/cachegrind.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto counts = ordo::running::parseCachegrind({reinterpret_cast<const char*>(data), size});
  if (counts && (counts->ir < 0 || counts->bim < 0)) __builtin_trap();
  return 0;
}
