// Element types of the arrays that cross library and process borders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ordo {

enum class DType : std::uint8_t { kInt64, kFloat32, kFloat64, kBytes };

constexpr std::string_view name(DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return "int64";
    case DType::kFloat32:
      return "float32";
    case DType::kFloat64:
      return "float64";
    case DType::kBytes:
      return "bytes";
  }
  return "unknown";
}

constexpr std::size_t elementBytes(DType dtype) {
  return dtype == DType::kBytes ? 1 : dtype == DType::kFloat32 ? 4 : 8;
}

}  // namespace ordo
