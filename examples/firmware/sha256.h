#pragma once
#include <stddef.h>
#include <stdint.h>

// FIPS 180-4. Writes 32 bytes.
void sha256(const void* data, size_t bytes, uint8_t digest[32]);
