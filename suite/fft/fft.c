// fft - the spectrum of a series of samples.
//
// Reads numbers from standard input, removes the mean, applies a Hann window, pads to a power of two, and
// runs an in-place radix-2 fast Fourier transform. It prints the strongest peaks, checks that the inverse
// transform gives the samples back, and with "-f LOW HIGH" also prints the band-passed signal coarsely. With
// "-m" it multiplies two polynomials (two lines of integer coefficients) by convolution instead.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSamples = 1 << 17 };

typedef struct {
  double re;
  double im;
} Complex;

static const double kPi = 3.14159265358979323846;

static Complex mul(Complex a, Complex b) {
  Complex r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return r;
}

static int power_of_two(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

static void bit_reverse(Complex* a, int n) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) {
      Complex t = a[i];
      a[i] = a[j];
      a[j] = t;
    }
  }
}

// n is a power of two. The roots come from one table, as a running product would lose precision.
static void transform(Complex* a, int n, int inverse) {
  Complex* root = malloc(sizeof(Complex) * (size_t)(n / 2 + 1));
  if (!root) exit(3);
  for (int i = 0; i < n / 2; i++) {
    double angle = 2 * kPi * i / n;
    root[i].re = cos(angle);
    root[i].im = inverse ? sin(angle) : -sin(angle);
  }
  bit_reverse(a, n);
  for (int half = 1; half < n; half *= 2) {
    int stride = n / (2 * half);
    for (int start = 0; start < n; start += 2 * half) {
      for (int k = 0; k < half; k++) {
        Complex u = a[start + k];
        Complex v = mul(a[start + k + half], root[k * stride]);
        a[start + k].re = u.re + v.re;
        a[start + k].im = u.im + v.im;
        a[start + k + half].re = u.re - v.re;
        a[start + k + half].im = u.im - v.im;
      }
    }
  }
  if (inverse) {
    for (int i = 0; i < n; i++) {
      a[i].re /= n;
      a[i].im /= n;
    }
  }
  free(root);
}

static double remove_mean(Complex* a, int count) {
  double sum = 0.0;
  for (int i = 0; i < count; i++) sum += a[i].re;
  double mean = sum / count;
  for (int i = 0; i < count; i++) a[i].re -= mean;
  return mean;
}

static void hann_window(Complex* a, int count) {
  for (int i = 0; i < count; i++) a[i].re *= 0.5 - 0.5 * cos(2 * kPi * i / (count - 1));
}

static double magnitude(Complex c) { return sqrt(c.re * c.re + c.im * c.im); }

static void print_peaks(const Complex* a, int n, int count) {
  double last = INFINITY;
  for (int rank = 0; rank < 5; rank++) {
    int best = -1;
    for (int i = 1; i + 1 < n / 2; i++) {
      double m = magnitude(a[i]);
      int peak = m > magnitude(a[i - 1]) && m >= magnitude(a[i + 1]);
      if (peak && m < last && (best < 0 || m > magnitude(a[best]))) best = i;
    }
    if (best < 0) break;
    last = magnitude(a[best]);
    double amplitude = 4.0 * last / count;
    if (amplitude < 0.05) break;
    printf("bin %d of %d amplitude %.2f\n", best, n, amplitude);
  }
}

static void band_pass(Complex* a, int n, int low, int high) {
  for (int i = 0; i < n; i++) {
    int frequency = i <= n / 2 ? i : n - i;
    if (frequency < low || frequency > high) a[i].re = a[i].im = 0.0;
  }
}

// Eight levels are enough to see the shape, and rounding noise cannot reach the printed digits.
static void print_sketch(const Complex* a, int count) {
  double top = 1e-9;
  for (int i = 0; i < count; i++) top = fmax(top, fabs(a[i].re));
  for (int i = 0; i < count; i += count / 64 + 1) putchar("=-.:+*%#"[(int)(a[i].re / top * 3.49 + 4.003)]);
  putchar('\n');
}

static int spectrum(int low, int high) {
  static Complex samples[kMaxSamples], work[kMaxSamples];
  int count = 0;
  double value;
  while (count < kMaxSamples && scanf("%lf", &value) == 1) samples[count++].re = value;
  if (count < 8) {
    printf("fft: need at least 8 samples, got %d\n", count);
    return 1;
  }
  int n = power_of_two(count);
  printf("samples %d mean %.3f\n", count, remove_mean(samples, count));
  memcpy(work, samples, sizeof samples);
  hann_window(work, count);
  transform(work, n, 0);
  print_peaks(work, n, count);

  memcpy(work, samples, sizeof samples);
  transform(work, n, 0);
  if (high > 0) band_pass(work, n, low, high);
  transform(work, n, 1);
  if (high > 0) {
    print_sketch(work, count);
    return 0;
  }
  double worst = 0.0;
  for (int i = 0; i < count; i++) worst = fmax(worst, fabs(work[i].re - samples[i].re));
  printf("inverse %s\n", worst < 1e-9 ? "ok" : "wrong");
  return 0;
}

// Reads the integers of one line.
static int read_polynomial(Complex* a) {
  static char line[4096];
  int count = 0;
  if (!fgets(line, sizeof line, stdin)) return 0;
  for (char* word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
    if (count == kMaxSamples / 4) return 0;
    a[count++].re = (double)strtol(word, NULL, 10);
  }
  return count;
}

static int multiply(void) {
  static Complex a[kMaxSamples], b[kMaxSamples];
  int m = read_polynomial(a);
  int k = read_polynomial(b);
  if (m == 0 || k == 0) {
    printf("fft: two polynomials wanted\n");
    return 1;
  }
  int n = power_of_two(m + k);
  transform(a, n, 0);
  transform(b, n, 0);
  for (int i = 0; i < n; i++) a[i] = mul(a[i], b[i]);
  transform(a, n, 1);
  for (int i = 0; i < m + k - 1; i++) printf("%ld%c", lround(a[i].re), i == m + k - 2 ? '\n' : ' ');
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 1) return spectrum(0, 0);
  if (argc == 2 && strcmp(argv[1], "-m") == 0) return multiply();
  if (argc == 4 && strcmp(argv[1], "-f") == 0) return spectrum(atoi(argv[2]), atoi(argv[3]));
  fprintf(stderr, "usage: fft [-m | -f LOW HIGH] < numbers\n");
  return 2;
}
