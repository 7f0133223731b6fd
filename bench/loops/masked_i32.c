// Of 2048 32-bit numbers those are changed that another array of bytes chooses.
#include "kernel.h"
static uint32_t a[2048], b[2048];
static uint8_t mask[2048];
KERNEL void masked(uint32_t* restrict to, const uint32_t* restrict from, const uint8_t* restrict when,
                   int n) {
  HINT for (int i = 0; i < n; i++) if (when[i] > 100) to[i] = to[i] * 3 + from[i];
}
int main(int argc, char** argv) {
  fill(a, sizeof a), fill(b, sizeof b), fill(mask, sizeof mask);
  for (long r = rounds(argc, argv); r > 0; r--, again()) masked(a, b, mask, 2048 - (int)(r & 7));
  printf("%llu\n", (unsigned long long)hashed(a, sizeof a));
}
