// The digest of standard input by XXH32, XXH64 or XXH3 ("32", "64" or "3"), in pieces of STEP bytes, ROUNDS
// times.
#include "../driver.h"

#include "src/xxhash.h"

int main(int argc, char** argv) {
  const int kind = number(argc, argv, 1), rounds = number(argc, argv, 3);
  const size_t step = (size_t)number(argc, argv, 2);
  size_t size;
  const unsigned char* const data = read_all(&size);
  unsigned long long digest = 0;
  for (int round = 0; round < rounds; ++round) {
    for (size_t at = 0; at < size; at += step) {
      const size_t length = size - at < step ? size - at : step;
      digest = kind == 32   ? XXH32(data + at, length, (XXH32_hash_t)digest)
               : kind == 64 ? XXH64(data + at, length, digest)
                            : XXH3_64bits_withSeed(data + at, length, digest);
    }
  }
  printf("%016llx\n", digest);
  return 0;
}
