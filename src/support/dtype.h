// Element types of the arrays that cross library and process borders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ordo {

enum class DType : std::uint8_t { kInt64, kFloat32, kBytes };

constexpr std::string_view name(DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return "int64";
    case DType::kFloat32:
      return "float32";
    case DType::kBytes:
      return "bytes";
  }
  return "unknown";
}

constexpr std::size_t elementBytes(DType dtype) {
  return dtype == DType::kInt64 ? 8 : dtype == DType::kFloat32 ? 4 : 1;
}

}  // namespace ordo
