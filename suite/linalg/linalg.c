// linalg - solves systems of linear equations.
//
// Reads systems "n", then n rows of n coefficients and a right-hand side. For each it factors the matrix by
// LU decomposition with partial pivoting and prints the solution, the determinant and whether the residual
// is small. "hilbert n" and "poisson n" stand for generated systems. Exit status 1 when one was singular, 2
// when the input was malformed.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double* a;   // row-major, n * n
  int* pivot;  // pivot[k] is the row that was swapped with row k
  int swaps;
} Factors;

static double* at(double* a, int n, int row, int column) {
  return &a[(size_t)row * (size_t)n + (size_t)column];
}

static void swap_rows(double* a, int n, int i, int j) {
  for (int k = 0; k < n; k++) {
    double t = *at(a, n, i, k);
    *at(a, n, i, k) = *at(a, n, j, k);
    *at(a, n, j, k) = t;
  }
}

static int pivot_row(double* a, int n, int column) {
  int best = column;
  for (int row = column + 1; row < n; row++) {
    if (fabs(*at(a, n, row, column)) > fabs(*at(a, n, best, column))) best = row;
  }
  return best;
}

// Replaces f->a by its factors. Returns 0 when the matrix is singular to working precision.
static int factor(Factors* f) {
  int n = f->n;
  f->swaps = 0;
  for (int k = 0; k < n; k++) {
    int p = pivot_row(f->a, n, k);
    f->pivot[k] = p;
    if (fabs(*at(f->a, n, p, k)) < 1e-13) return 0;
    if (p != k) {
      swap_rows(f->a, n, p, k);
      f->swaps++;
    }
    double inverse = 1.0 / *at(f->a, n, k, k);
    for (int i = k + 1; i < n; i++) {
      double m = *at(f->a, n, i, k) * inverse;
      *at(f->a, n, i, k) = m;
      if (m == 0.0) continue;
      for (int j = k + 1; j < n; j++) *at(f->a, n, i, j) -= m * *at(f->a, n, k, j);
    }
  }
  return 1;
}

static void solve(const Factors* f, double* x) {
  int n = f->n;
  for (int k = 0; k < n; k++) {
    double t = x[k];
    x[k] = x[f->pivot[k]];
    x[f->pivot[k]] = t;
  }
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < i; j++) x[i] -= *at(f->a, n, i, j) * x[j];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= *at(f->a, n, i, j) * x[j];
    x[i] /= *at(f->a, n, i, i);
  }
}

static double determinant(const Factors* f) {
  double d = f->swaps % 2 ? -1.0 : 1.0;
  for (int i = 0; i < f->n; i++) d *= *at(f->a, f->n, i, i);
  return d;
}

static double residual(double* a, const double* x, const double* b, int n) {
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = -b[i];
    for (int j = 0; j < n; j++) sum += *at(a, n, i, j) * x[j];
    if (fabs(sum) > worst) worst = fabs(sum);
  }
  return worst;
}

static void* copy_of(const void* data, size_t size) {
  void* p = malloc(size);
  if (!p) exit(3);
  return memcpy(p, data, size);
}

// Adding zero after rounding keeps "-0.000" out of the output.
static double rounded(double x) { return round(x * 1e3) / 1e3 + 0.0; }

static int report(double* a, double* b, int n) {
  size_t bytes = sizeof(double) * (size_t)n;
  Factors f = {n, copy_of(a, bytes * (size_t)n), calloc((size_t)n, sizeof(int)), 0};
  if (!f.pivot) exit(3);
  int solved = factor(&f);
  if (!solved) {
    printf("singular\n");
  } else {
    double* x = copy_of(b, bytes);
    solve(&f, x);
    printf("x =");
    for (int i = 0; i < n; i++) {
      if (n > 12 && i == 4) {
        printf(" ...");
        i = n - 4;
      }
      printf(" %.3f", rounded(x[i]));
    }
    double d = determinant(&f);
    printf("\n");
    if (fabs(d) < 1e6 && fabs(d) > 1e-3) printf("det = %.3f\n", rounded(d));
    printf("residual %s\n", residual(a, x, b, n) < 1e-7 ? "ok" : "large");
    free(x);
  }
  free(f.pivot);
  free(f.a);
  return solved;
}

static void fill_hilbert(double* a, double* b, int n) {
  for (int i = 0; i < n; i++) {
    b[i] = 0.0;
    for (int j = 0; j < n; j++) {
      *at(a, n, i, j) = 1.0 / (i + j + 1);
      b[i] += *at(a, n, i, j) * (j % 3 + 1);
    }
  }
}

// The five-point stencil on a side x side grid with a heat source in the middle.
static void fill_poisson(double* a, double* b, int side) {
  int n = side * side;
  memset(a, 0, sizeof(double) * (size_t)n * (size_t)n);
  memset(b, 0, sizeof(double) * (size_t)n);
  for (int y = 0; y < side; y++) {
    for (int x = 0; x < side; x++) {
      int i = y * side + x;
      *at(a, n, i, i) = 4.0;
      if (x > 0) *at(a, n, i, i - 1) = -1.0;
      if (x + 1 < side) *at(a, n, i, i + 1) = -1.0;
      if (y > 0) *at(a, n, i, i - side) = -1.0;
      if (y + 1 < side) *at(a, n, i, i + side) = -1.0;
    }
  }
  b[n / 2] = 100.0;
}

static int read_system(double* a, double* b, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (scanf("%lf", at(a, n, i, j)) != 1) return 0;
    }
    if (scanf("%lf", &b[i]) != 1) return 0;
  }
  return 1;
}

int main(void) {
  char word[32];
  int status = 0;
  while (scanf("%31s", word) == 1) {
    int hilbert = strcmp(word, "hilbert") == 0;
    int poisson = strcmp(word, "poisson") == 0;
    int size = 0;
    if (hilbert || poisson) {
      if (scanf("%d", &size) != 1) size = 0;
    } else {
      size = atoi(word);
    }
    int n = poisson ? size * size : size;
    if (size < 1 || size > 200 || n > 400) {
      printf("bad size\n");
      return 2;
    }
    double* a = calloc((size_t)n * (size_t)n, sizeof(double));
    double* b = calloc((size_t)n, sizeof(double));
    if (!a || !b) return 3;
    int complete = 1;
    if (hilbert) {
      fill_hilbert(a, b, n);
    } else if (poisson) {
      fill_poisson(a, b, size);
    } else {
      complete = read_system(a, b, n);
    }
    if (complete && !report(a, b, n)) status = 1;
    free(b);
    free(a);
    if (!complete) {
      printf("system cut short\n");
      return 2;
    }
  }
  return status;
}
