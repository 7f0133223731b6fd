#include <stdio.h>
#include <stdlib.h>

#include "grid.h"

static struct grid grids[2];

int main(int count, char **arguments) {
  const int steps = count > 1 ? atoi(arguments[1]) : 300;
  start(&grids[0], 7);
  grids[1] = grids[0];
  double change = 0;
  for (int step = 0; step < steps; ++step) change = relax(&grids[step % 2], &grids[(step + 1) % 2]);
  printf("%.6f %lu\n", change, checksum(&grids[steps % 2]));
  return 0;
}
