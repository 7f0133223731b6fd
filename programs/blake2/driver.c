// The digest of standard input by BLAKE2b or BLAKE2s ("b" or "s"), ROUNDS times, each with the last one as
// its key.
#include "../driver.h"

#include "src/src/blake2.h"

int blake2b_ref(uint8_t* out, const void* in, const void* key, size_t outlen, size_t inlen, size_t keylen);
int blake2s_ref(uint8_t* out, const void* in, const void* key, size_t outlen, size_t inlen, size_t keylen);

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 2), wide = *argv[1] == 'b';
  const size_t length = wide ? BLAKE2B_OUTBYTES : BLAKE2S_OUTBYTES;
  size_t size;
  const unsigned char* const data = read_all(&size);
  uint8_t digest[BLAKE2B_OUTBYTES], key[BLAKE2B_OUTBYTES] = {0};
  for (int round = 0; round < rounds; ++round) {
    check((wide ? blake2b_ref : blake2s_ref)(digest, data, key, length, size, length) == 0, "hashing");
    memcpy(key, digest, length);
  }
  for (size_t i = 0; i < length; ++i) printf("%02x", digest[i]);
  puts("");
  return 0;
}
