// The largest of 2048 32-bit numbers.
#include "kernel.h"
static int32_t a[2048];
KERNEL int32_t largest(const int32_t* x, int n) {
  int32_t most = INT32_MIN;
  HINT for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
  return most;
}
int main(int argc, char** argv) {
  fill(a, sizeof a);
  uint64_t total = 0;
  for (long r = rounds(argc, argv); r > 0; r--, again()) {
    a[r & 2047] ^= (int32_t)r;
    total = total * 31 + (uint32_t)largest(a, 2048 - (int)(r & 7));
  }
  printf("%llu\n", (unsigned long long)total);
}
