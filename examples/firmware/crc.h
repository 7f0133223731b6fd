#pragma once
#include <stddef.h>
#include <stdint.h>

uint32_t crc32(const void* data, size_t bytes);  // of Ethernet and zlib
uint16_t crc16(const void* data, size_t bytes);  // CRC-16/CCITT-FALSE
uint8_t crc8(const void* data, size_t bytes);    // of SMBus
