// y += a x on 2048 floats.
#include "kernel.h"
static float x[2048], y[2048];
KERNEL void saxpy(float* restrict to, const float* restrict from, float by, int n) {
  HINT for (int i = 0; i < n; i++) to[i] += by * from[i];
}
int main(int argc, char** argv) {
  for (int i = 0; i < 2048; i++) x[i] = (float)(chance() & 255), y[i] = (float)(chance() & 255);
  for (long r = rounds(argc, argv); r > 0; r--, again()) saxpy(y, x, (r & 1) ? 0.5f : -0.5f, 2048 - (int)(r & 7));
  printf("%llu\n", (unsigned long long)hashed(y, sizeof y));
}
