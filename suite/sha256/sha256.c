// sha256 - the SHA-256 of standard input, block by block.
//
// Without arguments it prints the digest of everything read. With "-k KEY" it prints the HMAC-SHA256 under
// that key, and with "-n COUNT" the digest is hashed again COUNT times, as a toy key stretching. The digest
// printed is the usual 64 hexadecimal digits.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBlock = 64, kDigest = 32 };

typedef struct {
  uint32_t state[8];
  uint64_t length;
  uint8_t block[kBlock];
  size_t used;
} Sha256;

static const uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

static uint32_t load_be32(const uint8_t* p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_be32(uint8_t* p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void sha256_init(Sha256* s) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->state, start, sizeof start);
  s->length = 0;
  s->used = 0;
}

static void compress(uint32_t state[8], const uint8_t* block) {
  uint32_t w[64];
  for (int i = 0; i < 16; i++) w[i] = load_be32(block + 4 * i);
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 64; i++) {
    uint32_t big1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    uint32_t t1 = h + big1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
    uint32_t big0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    uint32_t t2 = big0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void sha256_update(Sha256* s, const uint8_t* data, size_t size) {
  s->length += size;
  if (s->used > 0) {
    size_t take = kBlock - s->used < size ? kBlock - s->used : size;
    memcpy(s->block + s->used, data, take);
    s->used += take;
    data += take;
    size -= take;
    if (s->used < kBlock) return;
    compress(s->state, s->block);
    s->used = 0;
  }
  for (; size >= kBlock; data += kBlock, size -= kBlock) compress(s->state, data);
  memcpy(s->block, data, size);
  s->used = size;
}

static void sha256_final(Sha256* s, uint8_t digest[kDigest]) {
  uint64_t bits = s->length * 8;
  uint8_t padding[kBlock + 8] = {0x80};
  size_t zeros = (s->used < 56 ? 56 : 56 + kBlock) - s->used;
  store_be32(padding + zeros, (uint32_t)(bits >> 32));
  store_be32(padding + zeros + 4, (uint32_t)bits);
  sha256_update(s, padding, zeros + 8);
  for (int i = 0; i < 8; i++) store_be32(digest + 4 * i, s->state[i]);
}

static void hash_bytes(const uint8_t* data, size_t size, uint8_t digest[kDigest]) {
  Sha256 s;
  sha256_init(&s);
  sha256_update(&s, data, size);
  sha256_final(&s, digest);
}

static void key_pad(const char* key, uint8_t mask, uint8_t pad[kBlock]) {
  size_t size = strlen(key);
  memset(pad, 0, kBlock);
  if (size > kBlock) {
    hash_bytes((const uint8_t*)key, size, pad);
  } else {
    memcpy(pad, key, size);
  }
  for (int i = 0; i < kBlock; i++) pad[i] ^= mask;
}

// An odd chunk size makes the blocks straddle reads, which is where such code tends to break.
static int hash_stream(Sha256* s) {
  uint8_t chunk[1000];
  size_t got;
  while ((got = fread(chunk, 1, sizeof chunk, stdin)) > 0) sha256_update(s, chunk, got);
  return ferror(stdin) ? -1 : 0;
}

int main(int argc, char** argv) {
  const char* key = NULL;
  long repeat = 0;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 < argc && strcmp(argv[i], "-k") == 0) {
      key = argv[i + 1];
    } else if (i + 1 < argc && strcmp(argv[i], "-n") == 0) {
      repeat = strtol(argv[i + 1], NULL, 10);
    } else {
      printf("usage: sha256 [-k KEY] [-n COUNT] < data\n");
      return 2;
    }
  }
  Sha256 s;
  uint8_t pad[kBlock];
  uint8_t digest[kDigest];
  sha256_init(&s);
  if (key) {
    key_pad(key, 0x36, pad);
    sha256_update(&s, pad, kBlock);
  }
  if (hash_stream(&s) != 0) return 1;
  sha256_final(&s, digest);
  if (key) {
    key_pad(key, 0x5c, pad);
    sha256_init(&s);
    sha256_update(&s, pad, kBlock);
    sha256_update(&s, digest, kDigest);
    sha256_final(&s, digest);
  }
  for (long i = 0; i < repeat; i++) hash_bytes(digest, kDigest, digest);
  for (int i = 0; i < kDigest; i++) printf("%02x", digest[i]);
  printf("\n");
  return 0;
}
