// Sum of absolute differences of 16 to 31 bytes, as in motion search.
#include "kernel.h"
static uint8_t a[4096], b[4096];
KERNEL uint32_t sad(const uint8_t* x, const uint8_t* y, int n) {
  uint32_t sum = 0;
  HINT for (int i = 0; i < n; i++) sum += (uint32_t)abs(x[i] - y[i]);
  return sum;
}
int main(int argc, char** argv) {
  fill(a, sizeof a), fill(b, sizeof b);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again())
    total = total * 31 + sad(a + (r & 2047), b, 16 + (int)(r & 15));
  printf("%llu\n", (unsigned long long)total);
}
