// 128-bit content hashes (XXH3): identity of programs, states, spaces and files. Not for security.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ordo {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const Hash128&) const = default;

  // 32 lower-case hexadecimal digits.
  std::string hex() const;
  // Nothing unless `text` is exactly what hex() writes.
  static std::optional<Hash128> fromHex(std::string_view text);
};

Hash128 hashBytes(std::string_view bytes);

}  // namespace ordo

template <>
struct std::hash<ordo::Hash128> {
  std::size_t operator()(const ordo::Hash128& value) const noexcept { return value.low; }
};
