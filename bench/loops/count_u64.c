// How many 16-bit numbers are equal to one, counted in 64 bits, 2048 at a time.
#include "kernel.h"
static uint16_t a[2048];
KERNEL uint64_t count(const uint16_t* x, uint16_t wanted, int n) {
  uint64_t found = 0;
  HINT for (int i = 0; i < n; i++) found += x[i] == wanted;
  return found;
}
int main(int argc, char** argv) {
  fill(a, sizeof a);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again())
    total = total * 31 + count(a, (uint16_t)r, 2048 - (int)(r & 7));
  printf("%llu\n", (unsigned long long)total);
}
