// Encrypts and decrypts standard input with a cipher of Nettle, ROUNDS times, each with a key from the SHA-3
// of what came before, and writes the last digest.
#include "../driver.h"

#include "camellia.h"
#include "serpent.h"
#include "sha3.h"
#include "twofish.h"

int main(int argc, char** argv) {
  const int rounds = number(argc, argv, 2);
  size_t size;
  unsigned char* const data = read_all(&size);
  size -= size % 16;
  unsigned char* const made = malloc(size);
  unsigned char* const back = malloc(size);
  check(made && back, "memory");
  uint8_t digest[SHA3_256_DIGEST_SIZE] = {0};
  for (int round = 0; round < rounds; ++round) {
    struct twofish_ctx twofish;
    struct serpent_ctx serpent;
    struct camellia256_ctx camellia;
    switch (*argv[1]) {
      case 't':
        twofish256_set_key(&twofish, digest);
        twofish_encrypt(&twofish, size, made, data);
        twofish_decrypt(&twofish, size, back, made);
        break;
      case 's':
        serpent256_set_key(&serpent, digest);
        serpent_encrypt(&serpent, size, made, data);
        serpent_decrypt(&serpent, size, back, made);
        break;
      default:
        camellia256_set_encrypt_key(&camellia, digest);
        camellia256_crypt(&camellia, size, made, data);
        camellia256_invert_key(&camellia, &camellia);
        camellia256_crypt(&camellia, size, back, made);
    }
    check(memcmp(data, back, size) == 0, "decrypting");
    struct sha3_256_ctx sha3;
    sha3_256_init(&sha3);
    sha3_256_update(&sha3, size, made);
    sha3_256_digest(&sha3, sizeof digest, digest);
  }
  for (size_t i = 0; i < sizeof digest; ++i) printf("%02x", digest[i]);
  puts("");
  return 0;
}
