// Packs standard input with LZO1X-1, unpacks and compares, ROUNDS times, and writes what is packed.
#include "../driver.h"

#include "src/minilzo/minilzo.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const unsigned char* const data = read_all(&size);
  unsigned char* const packed = malloc(size + size / 16 + 67);
  unsigned char* const unpacked = malloc(size + 1);
  void* const memory = malloc(LZO1X_1_MEM_COMPRESS);
  check(lzo_init() == LZO_E_OK && packed && unpacked && memory, "beginning");
  lzo_uint made = 0;
  for (int round = 0; round < rounds; ++round) {
    check(lzo1x_1_compress(data, size, packed, &made, memory) == LZO_E_OK, "packing");
    lzo_uint back = size;
    check(lzo1x_decompress_safe(packed, made, unpacked, &back, NULL) == LZO_E_OK, "unpacking");
    check(back == size && memcmp(data, unpacked, size) == 0, "comparing");
  }
  fwrite(packed, 1, made, stdout);
  return 0;
}
