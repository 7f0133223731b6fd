#include "crc.h"

uint32_t crc32(const void* data, size_t bytes) {
  const uint8_t* at = data;
  uint32_t crc = ~0u;
  while (bytes-- > 0) {
    crc ^= *at++;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
  }
  return ~crc;
}

uint16_t crc16(const void* data, size_t bytes) {
  const uint8_t* at = data;
  uint16_t crc = 0xFFFF;
  while (bytes-- > 0) {
    crc ^= (uint16_t)(*at++ << 8);
    for (int bit = 0; bit < 8; ++bit) crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
  }
  return crc;
}

uint8_t crc8(const void* data, size_t bytes) {
  const uint8_t* at = data;
  uint8_t crc = 0;
  while (bytes-- > 0) {
    crc ^= *at++;
    for (int bit = 0; bit < 8; ++bit) crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
  }
  return crc;
}
