#include "grid.h"

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

void start(struct grid *grid, unsigned seed) {
  for (int row = 0; row < SIZE; ++row) {
    for (int column = 0; column < SIZE; ++column) {
      const int edge = row == 0 || column == 0 || row == SIZE - 1 || column == SIZE - 1;
      grid->cells[row][column] = edge ? next(&seed) % 100 : 0;
    }
  }
}

static double average(const struct grid *grid, int row, int column) {
  return (grid->cells[row - 1][column] + grid->cells[row + 1][column] + grid->cells[row][column - 1] +
          grid->cells[row][column + 1]) / 4;
}

double relax(const struct grid *from, struct grid *to) {
  double change = 0;
  for (int row = 1; row < SIZE - 1; ++row) {
    for (int column = 1; column < SIZE - 1; ++column) {
      const double before = from->cells[row][column], after = average(from, row, column);
      to->cells[row][column] = after;
      change += after > before ? after - before : before - after;
    }
  }
  return change;
}

unsigned long checksum(const struct grid *grid) {
  unsigned long sum = 0;
  for (int row = 0; row < SIZE; ++row) {
    for (int column = 0; column < SIZE; ++column)
      sum = sum * 31 + (unsigned long)(grid->cells[row][column] * 1000);
  }
  return sum;
}
