// Packs standard input with LZF, unpacks and compares, ROUNDS times, and writes what is packed.
#include "../driver.h"

#include "src/lzf.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 1);
  size_t size;
  const unsigned char* const data = read_all(&size);
  unsigned char* const packed = malloc(size);
  unsigned char* const unpacked = malloc(size);
  check(packed && unpacked, "memory");
  unsigned made = 0;
  for (int round = 0; round < rounds; ++round) {
    made = lzf_compress(data, (unsigned)size, packed, (unsigned)size - 1);
    check(made > 0 && lzf_decompress(packed, made, unpacked, (unsigned)size) == size,
          "packing and unpacking");
    check(memcmp(data, unpacked, size) == 0, "comparing");
  }
  fwrite(packed, 1, made, stdout);
  return 0;
}
