// Part of the probe corpus: one function for each pattern that some pass waits for and that the
// suite does not have in the right place. It is never run.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct point {
  int x, y, z, w;
};

// mergeicmps
int equalPoints(const struct point* a, const struct point* b) {
  return a->x == b->x && a->y == b->y && a->z == b->z && a->w == b->w;
}

// expand-memcmp
int sameHeader(const char* a, const char* b) { return memcmp(a, b, 8) == 0; }

// div-rem-pairs
int digits(int n, int base, int* rest) {
  *rest = n % base;
  return n / base;
}

// float2int
int roundTrip(unsigned char a, unsigned char b) { return (int)((float)a + (float)b * 2.0f); }

// dfa-jump-threading
int machine(const char* text) {
  int state = 0, count = 0;
  while (*text) {
    switch (state) {
      case 0:
        state = *text == 'a' ? 1 : 2;
        break;
      case 1:
        state = *text == 'b' ? 2 : 0;
        break;
      case 2:
        state = 3;
        break;
      default:
        state = 0;
        ++count;
        break;
    }
    ++text;
  }
  return count;
}

// loop-distribute, loop-versioning, loop-load-elim
void mixed(int* a, int* b, int* c, int* d, const int* e, int n) {
#pragma clang loop distribute(enable)
  for (int i = 0; i < n; ++i) {
    a[i + 1] = a[i] + b[i];
    c[i] = d[i] * e[i];
  }
}

// loop-interchange, loop-unroll-and-jam, loop-data-prefetch
void product(int n, double (*restrict a)[64], double (*restrict b)[64], double (*restrict c)[64]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 64; ++j)
      for (int k = 0; k < 64; ++k) a[k][j] += b[k][i] * c[i][j];
}

// loop-flatten
void scale(int* a, unsigned short rows, unsigned short columns) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) a[i * columns + j] *= 3;
}

// loop-fusion
void twice(int* restrict a, int* restrict b, int n) {
  for (int i = 0; i < n; ++i) a[i] = i * 2;
  for (int i = 0; i < n; ++i) b[i] = i * 3;
}

// callsite-splitting, partial-inliner
static int __attribute__((noinline)) useful(int* p, int n) { return p ? *p + n : n * 3; }
int split(int* p, int n) {
  if (p != NULL && n < 10) return useful(p, n);
  if (p == NULL || n == 77) return useful(NULL, 4);
  return useful(p, 5);
}

// loop-sink, licm, hotcoldsplit
extern void __attribute__((cold)) report(int);
int rare(const int* a, int n, int x) {
  int scaled = x * 12345 + 77, sum = 0;
  for (int i = 0; i < n; ++i) {
    if (__builtin_expect(a[i] < 0, 0)) report(scaled);
    sum += a[i];
  }
  return sum;
}

// vector-combine, slp-vectorizer, scalarizer
typedef float float4 __attribute__((vector_size(16)));
float4 blend(float4 a, float4 b, float s) {
  float4 r = a * s + b;
  r[0] = a[0] + b[0];
  r[2] = a[2] + b[2];
  return r;
}
void four(double* restrict out, const double* restrict in) {
  out[0] = in[0] * 2 + 1;
  out[1] = in[1] * 2 + 1;
  out[2] = in[2] * 2 + 1;
  out[3] = in[3] * 2 + 1;
}

// libcalls-shrinkwrap, partially-inline-libcalls
double roots(double x) {
  log(x);
  return sqrt(x) + exp(x);
}

// jump-table-to-switch, correlated-propagation, constraint-elimination
static int add1(int x) { return x + 1; }
static int add2(int x) { return x * 2; }
int indirect(unsigned which, int x) {
  static int (*const table[2])(int) = {add1, add2};
  return which < 2 ? table[which](x) : 0;
}
unsigned bounded(const unsigned* a, unsigned i, unsigned n) {
  if (i >= n || n > 100) return 0;
  if (i + 1 > n) return 1;
  return i < 200 ? a[i] : 2;
}

// alignment-from-assumptions, drop-unnecessary-assumes, infer-alignment, assume-simplify
int assumed(const int* p, int n) {
  const int* q = __builtin_assume_aligned(p, 32);
  __builtin_assume(n > 4);
  return q[0] + q[8] + (n > 0);
}

// consthoist, slsr, nary-reassociate, aggressive-instcombine
uint64_t constants(uint64_t x, uint64_t y) {
  return ((x ^ 0x123456789abcdef1u) * 0x123456789abcdef3u) +
         ((y ^ 0x123456789abcdef1u) * 0x123456789abcdef5u);
}
uint32_t rotate(uint32_t x, unsigned n) { return n == 0 ? x : (x << n) | (x >> (32 - n)); }
int population(uint32_t x) {
  x = x - ((x >> 1) & 0x55555555u);
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  return (int)((((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}

// move-auto-init, memcpyopt, dse, fix-irreducible
int buffers(int n) {
  char big[256] = {0};
  char other[256];
  memcpy(other, big, sizeof other);
  if (n > 3) memset(other, n, 16);
  return other[n & 255];
}
int irreducible(int n) {
  if (n & 1) goto middle;
top:
  n -= 3;
middle:
  n -= 1;
  if (n > 0) goto top;
  return n;
}

// tailcallelim, argpromotion, deadargelim
static int __attribute__((noinline)) total(const int* n, int unused, int sum) {
  if (*n <= 0) return sum;
  int less = *n - 1;
  return total(&less, unused, sum + *n);
}
int triangle(int n) { return total(&n, 7, 0); }

// mergefunc, constmerge
int first(int a) { return a * 7 + 3; }
int second(int a) { return a * 7 + 3; }

// loop-deletion, loop-unroll-full, simple-loop-unswitch, loop-idiom, loop-predication
int loops(int* a, const int* b, int n, int flag) {
  for (int i = 0; i < n; ++i) flag += 0;
  for (int i = 0; i < 4; ++i) a[i] += b[i];
  for (int i = 0; i < n; ++i) {
    if (flag)
      a[i] = b[i] * 3;
    else
      a[i] = b[i] + n;
  }
  for (int i = 0; i < n; ++i) a[i] = 0;
  return flag;
}
