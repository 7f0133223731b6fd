// The start below a number, given as an argument, whose Collatz sequence is longest.
#include <stdio.h>
#include <stdlib.h>

static unsigned length(unsigned long start) {
  unsigned steps = 0;
  for (unsigned long n = start; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

int main(int argc, char **argv) {
  const unsigned long limit = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
  unsigned long best = 1;
  for (unsigned long start = 2; start < limit; ++start) {
    if (length(start) > length(best)) best = start;
  }
  printf("%lu takes %u steps\n", best, length(best));
  return 0;
}
