#include <ctype.h>
#include <stdlib.h>

#include "calc.h"

char calc_peek(Calc* calc) {
  while (isspace((unsigned char)*calc->rest)) calc->rest++;
  return *calc->rest;
}

void calc_fail(Calc* calc, const char* error) {
  if (calc->error == NULL) calc->error = error;
}

double calc_number(Calc* calc) {
  char* end;
  calc_peek(calc);
  const double value = strtod(calc->rest, &end);
  if (end == calc->rest) calc_fail(calc, "expected a number");
  calc->rest = end;
  return value;
}
