// crc32 - checksums of standard input.
//
// Prints the CRC-32 (the reflected IEEE 802.3 polynomial, as in zip and png) and the Adler-32 (as in zlib)
// of everything read from standard input, followed by the number of bytes. With -l it prints one line of
// CRC-32 per input line instead, which is how a text manifest is compared. With -n COUNT the input counts as
// repeated that many times, which makes a small file do for a timing.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kAdlerModulus = 65521, kAdlerBlock = 5552 };  // 5552: the longest run that cannot overflow 32 bits

static uint32_t crc_table[256];

static void build_crc_table(void) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t c = n;
    for (int bit = 0; bit < 8; bit++) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    crc_table[n] = c;
  }
}

static uint32_t crc_update(uint32_t crc, const uint8_t* data, size_t size) {
  crc = ~crc;
  for (size_t i = 0; i < size; i++) crc = crc_table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

static uint32_t adler_update(uint32_t adler, const uint8_t* data, size_t size) {
  uint32_t low = adler & 0xFFFF;
  uint32_t high = adler >> 16;
  while (size > 0) {
    size_t block = size < kAdlerBlock ? size : kAdlerBlock;
    for (size_t i = 0; i < block; i++) {
      low += data[i];
      high += low;
    }
    low %= kAdlerModulus;
    high %= kAdlerModulus;
    data += block;
    size -= block;
  }
  return high << 16 | low;
}

static int checksum_stream(void) {
  uint8_t buffer[4096];
  uint32_t crc = 0;
  uint32_t adler = 1;
  unsigned long total = 0;
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, stdin)) > 0) {
    crc = crc_update(crc, buffer, got);
    adler = adler_update(adler, buffer, got);
    total += got;
  }
  if (ferror(stdin)) return 1;
  printf("crc32 %08x\nadler32 %08x\nbytes %lu\n", (unsigned)crc, (unsigned)adler, total);
  return 0;
}

static int checksum_repeated(long times) {
  static uint8_t data[1 << 16];
  uint32_t crc = 0;
  uint32_t adler = 1;
  size_t size = fread(data, 1, sizeof data, stdin);
  if (times < 1 || !feof(stdin)) {
    printf("crc32: at least once, and at most 64 KiB\n");
    return 1;
  }
  for (long i = 0; i < times; i++) {
    crc = crc_update(crc, data, size);
    adler = adler_update(adler, data, size);
  }
  printf("crc32 %08x\nadler32 %08x\nbytes %zu times %ld\n", (unsigned)crc, (unsigned)adler, size, times);
  return 0;
}

static int checksum_lines(void) {
  uint32_t crc = 0;
  unsigned long line = 1;
  int pending = 0;
  int c;
  while ((c = getchar()) != EOF) {
    if (c == '\n') {
      printf("%lu %08x\n", line++, (unsigned)crc);
      crc = 0;
      pending = 0;
    } else {
      uint8_t byte = (uint8_t)c;
      crc = crc_update(crc, &byte, 1);
      pending = 1;
    }
  }
  if (pending) printf("%lu %08x (no newline)\n", line, (unsigned)crc);
  return 0;
}

int main(int argc, char** argv) {
  build_crc_table();
  if (argc == 1) return checksum_stream();
  if (argc == 2 && strcmp(argv[1], "-l") == 0) return checksum_lines();
  if (argc == 3 && strcmp(argv[1], "-n") == 0) return checksum_repeated(strtol(argv[2], NULL, 10));
  fprintf(stderr, "usage: crc32 [-l | -n COUNT] < data\n");
  return 2;
}
