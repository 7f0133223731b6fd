// Bytes multiplied and summed in 32 bits, 4096 at a time.
#include "kernel.h"
static int8_t a[4096], b[4096];
KERNEL int32_t dot(const int8_t* x, const int8_t* y, int n) {
  int32_t sum = 0;
  HINT for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}
int main(int argc, char** argv) {
  fill(a, sizeof a), fill(b, sizeof b);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again()) total = total * 31 + (uint32_t)dot(a, b, 4096 - (int)(r & 7));
  printf("%llu\n", (unsigned long long)total);
}
