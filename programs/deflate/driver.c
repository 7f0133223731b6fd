// Packs standard input with libdeflate at LEVEL, unpacks and compares, ROUNDS times, and writes what is
// packed.
#include "../driver.h"

#include "src/libdeflate.h"

int main(int argc, char** argv) {
  const int level = number(argc, argv, 1), rounds = number(argc, argv, 2);
  size_t size;
  const unsigned char* const data = read_all(&size);
  struct libdeflate_compressor* const packer = libdeflate_alloc_compressor(level);
  struct libdeflate_decompressor* const unpacker = libdeflate_alloc_decompressor();
  check(packer && unpacker, "beginning");
  const size_t room = libdeflate_zlib_compress_bound(packer, size);
  unsigned char* const packed = malloc(room);
  unsigned char* const unpacked = malloc(size);
  check(packed && unpacked, "memory");
  size_t made = 0;
  for (int round = 0; round < rounds; ++round) {
    made = libdeflate_zlib_compress(packer, data, size, packed, room);
    check(made > 0, "packing");
    check(libdeflate_zlib_decompress(unpacker, packed, made, unpacked, size, NULL) == LIBDEFLATE_SUCCESS,
          "unpacking");
    check(memcmp(data, unpacked, size) == 0, "comparing");
  }
  fwrite(packed, 1, made, stdout);
  return 0;
}
