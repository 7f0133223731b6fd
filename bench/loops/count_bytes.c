// How many bytes are below a bound, counted in 32 bits, 4096 at a time.
#include "kernel.h"
static uint8_t a[4096];
KERNEL uint32_t count(const uint8_t* x, uint8_t bound, int n) {
  uint32_t found = 0;
  HINT for (int i = 0; i < n; i++) found += x[i] < bound;
  return found;
}
int main(int argc, char** argv) {
  fill(a, sizeof a);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again())
    total = total * 31 + count(a, (uint8_t)r, 4096 - (int)(r & 7));
  printf("%llu\n", (unsigned long long)total);
}
