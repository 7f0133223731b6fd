#include <stdio.h>
#include <stdlib.h>

#include "roman.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const int value = atoi(argv[1]);
  if (value < 1 || value > 3999) return 1;
  char numeral[16];
  roman_numeral(value, numeral);
  puts(numeral);
  return roman_value(numeral) == value ? 0 : 1;
}
