// A program of about 264 instructions before any pass: the size of the qsort that CompilerGym's published
// figures are about.
#include <stdio.h>
#include <stdlib.h>

struct point {
  int x, y;
};

static int compare(const struct point *a, const struct point *b) {
  const long da = (long)a->x * a->x + (long)a->y * a->y;
  const long db = (long)b->x * b->x + (long)b->y * b->y;
  return da < db ? -1 : da > db;
}

static void swap(struct point *a, struct point *b) {
  const struct point t = *a;
  *a = *b;
  *b = t;
}

void quicksort(struct point *points, int count) {
  while (count > 1) {
    swap(&points[0], &points[count / 2]);
    int last = 0;
    for (int i = 1; i < count; i++) {
      if (compare(&points[i], &points[0]) < 0) swap(&points[++last], &points[i]);
    }
    swap(&points[0], &points[last]);
    if (last < count - last - 1) {
      quicksort(points, last);
      points += last + 1;
      count -= last + 1;
    } else {
      quicksort(points + last + 1, count - last - 1);
      count = last;
    }
  }
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1000;
  struct point *points = malloc(sizeof *points * (size_t)count);
  unsigned seed = 1;
  if (points == NULL) return 1;
  for (int i = 0; i < count; i++) {
    points[i].x = (int)((seed = seed * 1103515245u + 12345u) >> 20);
    points[i].y = (int)((seed = seed * 1103515245u + 12345u) >> 20);
  }
  quicksort(points, count);
  printf("%d %d\n", points[0].x, points[count / 2].y);
  free(points);
  return 0;
}
