// The same with 24 to 39 bytes at a time.
#include "kernel.h"
static uint8_t a[4096], b[4096];
KERNEL uint32_t dot(const uint8_t* x, const uint8_t* y, int n) {
  uint32_t sum = 0;
  HINT for (int i = 0; i < n; i++) sum += (uint32_t)x[i] * y[i];
  return sum;
}
int main(int argc, char** argv) {
  fill(a, sizeof a), fill(b, sizeof b);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again())
    total = total * 31 + dot(a + (r & 1023), b, 24 + (int)(r & 15));
  printf("%llu\n", (unsigned long long)total);
}
