#include "support/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>

namespace ordo {

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

std::optional<Hash128> Hash128::fromHex(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  for (char c : text) {
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return std::nullopt;
  }
  Hash128 hash;
  std::from_chars(text.data(), text.data() + 16, hash.high, 16);
  std::from_chars(text.data() + 16, text.data() + 32, hash.low, 16);
  return hash;
}

Hash128 hashBytes(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace ordo
