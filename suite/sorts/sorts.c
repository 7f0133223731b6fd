// sorts - one table, many sorting algorithms.
//
// Reads lines "name number", sorts them by the key given as the first argument ("name", "number", or
// "number-name") with every algorithm, checks that each result is ordered and that the stable ones agree,
// and prints the table with how many comparisons each algorithm made.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxRecords = 8192, kNameSize = 24, kInsertionLimit = 12 };

typedef struct {
  char name[kNameSize];
  long number;
  int line;  // original position, to check stability
} Record;

typedef int (*Compare)(const Record*, const Record*);

typedef struct {
  const char* name;
  void (*sort)(Record*, int);
  int stable;
} Algorithm;

static Compare compare;
static long comparisons;

static int by_name(const Record* a, const Record* b) { return strcmp(a->name, b->name); }

static int by_number(const Record* a, const Record* b) {
  return (a->number > b->number) - (a->number < b->number);
}

static int by_number_then_name(const Record* a, const Record* b) {
  int c = by_number(a, b);
  return c ? c : by_name(a, b);
}

static int less(const Record* a, const Record* b) {
  comparisons++;
  return compare(a, b) < 0;
}

static void swap(Record* a, Record* b) {
  Record t = *a;
  *a = *b;
  *b = t;
}

static void insertion_sort(Record* r, int n) {
  for (int i = 1; i < n; i++) {
    Record moving = r[i];
    int j = i;
    for (; j > 0 && less(&moving, &r[j - 1]); j--) r[j] = r[j - 1];
    r[j] = moving;
  }
}

static void shell_sort(Record* r, int n) {
  static const int gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
    int gap = gaps[g];
    for (int i = gap; i < n; i++) {
      Record moving = r[i];
      int j = i;
      for (; j >= gap && less(&moving, &r[j - gap]); j -= gap) r[j] = r[j - gap];
      r[j] = moving;
    }
  }
}

static void sift_down(Record* r, int root, int n) {
  for (;;) {
    int child = 2 * root + 1;
    if (child >= n) return;
    if (child + 1 < n && less(&r[child], &r[child + 1])) child++;
    if (!less(&r[root], &r[child])) return;
    swap(&r[root], &r[child]);
    root = child;
  }
}

static void heap_sort(Record* r, int n) {
  for (int i = n / 2 - 1; i >= 0; i--) sift_down(r, i, n);
  for (int end = n - 1; end > 0; end--) {
    swap(&r[0], &r[end]);
    sift_down(r, 0, end);
  }
}

static Record* median_of_three(Record* a, Record* b, Record* c) {
  if (less(a, b)) return less(b, c) ? b : less(a, c) ? c : a;
  return less(a, c) ? a : less(b, c) ? c : b;
}

// Introsort: quicksort that hands over to heap sort when the recursion gets suspiciously deep.
static void quick_sort_within(Record* r, int n, int depth) {
  while (n > kInsertionLimit) {
    if (depth-- == 0) {
      heap_sort(r, n);
      return;
    }
    swap(&r[0], median_of_three(&r[0], &r[n / 2], &r[n - 1]));
    int i = 0, j = n;
    for (;;) {
      do i++;
      while (i < n && less(&r[i], &r[0]));
      do j--;
      while (less(&r[0], &r[j]));
      if (i >= j) break;
      swap(&r[i], &r[j]);
    }
    swap(&r[0], &r[j]);
    // Recurse into the smaller part, loop on the larger one.
    if (j < n - j - 1) {
      quick_sort_within(r, j, depth);
      r += j + 1;
      n -= j + 1;
    } else {
      quick_sort_within(r + j + 1, n - j - 1, depth);
      n = j;
    }
  }
  insertion_sort(r, n);
}

static void quick_sort(Record* r, int n) {
  int depth = 0;
  for (int size = n; size > 1; size /= 2) depth += 2;
  quick_sort_within(r, n, depth);
}

static Record scratch[kMaxRecords];

static void merge(Record* r, int middle, int n) {
  memcpy(scratch, r, sizeof *r * (size_t)middle);
  int i = 0, j = middle, k = 0;
  while (i < middle && j < n) r[k++] = less(&r[j], &scratch[i]) ? r[j++] : scratch[i++];
  memcpy(r + k, scratch + i, sizeof *r * (size_t)(middle - i));
}

static void merge_sort(Record* r, int n) {
  if (n <= kInsertionLimit) {
    insertion_sort(r, n);
    return;
  }
  int middle = n / 2;
  merge_sort(r, middle);
  merge_sort(r + middle, n - middle);
  if (less(&r[middle], &r[middle - 1])) merge(r, middle, n);
}

// A bottom-up merge sort that uses the runs already in the input.
static void natural_sort(Record* r, int n) {
  for (;;) {
    int start = 0, runs = 0;
    while (start < n) {
      int middle = start + 1;
      while (middle < n && !less(&r[middle], &r[middle - 1])) middle++;
      int end = middle;
      if (end < n) {
        end++;
        while (end < n && !less(&r[end], &r[end - 1])) end++;
        merge(r + start, middle - start, end - start);
      }
      start = end;
      runs++;
    }
    if (runs <= 1) return;
  }
}

static const Algorithm kAlgorithms[] = {
    {"insertion", insertion_sort, 1}, {"shell", shell_sort, 0}, {"heap", heap_sort, 0},
    {"quick", quick_sort, 0},         {"merge", merge_sort, 1}, {"natural", natural_sort, 1},
};

static int is_sorted(const Record* r, int n, int stable) {
  for (int i = 1; i < n; i++) {
    int c = compare(&r[i - 1], &r[i]);
    if (c > 0 || (stable && c == 0 && r[i - 1].line > r[i].line)) return 0;
  }
  return 1;
}

// A sum over line numbers that any permutation keeps, so a lost or doubled record shows.
static long fingerprint(const Record* r, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += (long)r[i].line * r[i].line + r[i].number % 1000;
  return sum;
}

static int read_records(Record* r) {
  int n = 0;
  char line[128];
  while (fgets(line, sizeof line, stdin)) {
    if (n == kMaxRecords) return -1;
    char* end = strrchr(line, ' ');
    if (!end || end == line || end - line >= kNameSize) return -1;
    *end = '\0';
    strcpy(r[n].name, line);
    char* rest;
    r[n].number = strtol(end + 1, &rest, 10);
    if (rest == end + 1 || *rest != '\n') return -1;
    r[n].line = n + 1;
    n++;
  }
  return n;
}

static Compare comparison_named(const char* key) {
  if (strcmp(key, "name") == 0) return by_name;
  if (strcmp(key, "number") == 0) return by_number;
  if (strcmp(key, "number-name") == 0) return by_number_then_name;
  return NULL;
}

int main(int argc, char** argv) {
  static Record input[kMaxRecords], sorted[kMaxRecords];
  compare = argc == 2 ? comparison_named(argv[1]) : NULL;
  if (!compare) {
    printf("usage: sorts name|number|number-name < table\n");
    return 2;
  }
  int n = read_records(input);
  if (n < 0) {
    printf("sorts: malformed table\n");
    return 1;
  }
  int failed = 0;
  for (size_t i = 0; i < sizeof kAlgorithms / sizeof kAlgorithms[0]; i++) {
    const Algorithm* a = &kAlgorithms[i];
    memcpy(sorted, input, sizeof input);
    comparisons = 0;
    a->sort(sorted, n);
    int good = is_sorted(sorted, n, a->stable) && fingerprint(sorted, n) == fingerprint(input, n);
    printf("%-10s %8ld comparisons%s\n", a->name, comparisons, good ? "" : " WRONG");
    failed |= !good;
  }
  for (int i = 0; i < n; i++) printf("%s %ld\n", sorted[i].name, sorted[i].number);
  return failed;
}
