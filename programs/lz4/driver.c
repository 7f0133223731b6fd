// Packs standard input in blocks of 64 KiB as LZ4 does at LEVEL (0 is its fast mode), unpacks and compares,
// ROUNDS times, and writes what is packed.
#include "../driver.h"

#include "src/lib/lz4.h"
#include "src/lib/lz4hc.h"

enum { kBlock = 1 << 16 };

int main(int argc, char** argv) {
  const int level = number(argc, argv, 1), rounds = number(argc, argv, 2);
  size_t size;
  const char* const data = (const char*)read_all(&size);
  static char packed[LZ4_COMPRESSBOUND(kBlock)], unpacked[kBlock];
  for (int round = 1; round <= rounds; ++round) {
    for (size_t at = 0; at < size; at += kBlock) {
      const int length = size - at < kBlock ? (int)(size - at) : kBlock;
      const int made = level == 0 ? LZ4_compress_default(data + at, packed, length, sizeof packed)
                                  : LZ4_compress_HC(data + at, packed, length, sizeof packed, level);
      check(made > 0, "packing");
      const int back = LZ4_decompress_safe(packed, unpacked, made, kBlock);
      check(back == length && memcmp(unpacked, data + at, (size_t)length) == 0, "unpacking");
      if (round == rounds) fwrite(packed, 1, (size_t)made, stdout);
    }
  }
  return 0;
}
