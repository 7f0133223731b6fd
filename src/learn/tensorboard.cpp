#include "learn/tensorboard.h"

#include <bit>
#include <string_view>

namespace ordo::learn {
namespace {

// CRC-32C (Castagnoli), bit by bit: a training writes some kilobytes. Masked, because a checksum of data that
// contain checksums of themselves is no good.
std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0);
  }
  return std::rotr(~crc, 15) + 0xa282ead8u;
}

// Of little-endian bytes, whatever the machine's order.
template <typename Bits>
std::string fixed(Bits bits) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof bits; ++i) bytes += static_cast<char>((bits >> (8 * i)) & 0xff);
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes + static_cast<char>(value);
}

// Fields of protobuf, by the type of their value.
enum Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
std::string key(int field, Wire wire) { return varint((static_cast<std::uint64_t>(field) << 3) | wire); }
std::string bytesField(int field, std::string_view bytes) {
  return key(field, kBytes) + varint(bytes.size()) + std::string(bytes);
}

std::string record(const std::string& payload) {
  const std::string length = fixed(static_cast<std::uint64_t>(payload.size()));
  return length + fixed(checksum(length)) + payload + fixed(checksum(payload));
}

std::string wallTime(double seconds) {
  return key(1, kFixed64) + fixed(std::bit_cast<std::uint64_t>(seconds));
}

}  // namespace

std::string versionRecord(double wall_time_s) {
  return record(wallTime(wall_time_s) + bytesField(3, "brain.Event:2"));
}

std::string scalarsRecord(double wall_time_s, std::int64_t step, std::span<const Scalar> scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars) {
    summary += bytesField(
        1, bytesField(1, scalar.tag) + key(2, kFixed32) + fixed(std::bit_cast<std::uint32_t>(scalar.value)));
  }
  return record(wallTime(wall_time_s) + key(2, kVarint) + varint(static_cast<std::uint64_t>(step)) +
                bytesField(5, summary));
}

}  // namespace ordo::learn
