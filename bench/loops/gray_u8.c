// Three interleaved colours to one, 1024 pixels at a time.
#include "kernel.h"
static uint8_t a[3072], b[1024];
KERNEL void gray(uint8_t* restrict to, const uint8_t* restrict from, int n) {
  HINT for (int i = 0; i < n; i++) {
    const int sum = from[3 * i] * 77 + from[3 * i + 1] * 150 + from[3 * i + 2] * 29;
    to[i] = (uint8_t)(sum >> 8);
  }
}
int main(int argc, char** argv) {
  fill(a, sizeof a);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again()) {
    a[r & 2047] ^= (uint8_t)r;
    gray(b, a, 1024 - (int)(r & 7));
    total = total * 31 + b[r & 511];
  }
  printf("%llu %llu\n", (unsigned long long)total, (unsigned long long)hashed(b, sizeof b));
}
