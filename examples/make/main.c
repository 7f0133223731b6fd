#include <stdio.h>

#include "calc.h"

int main(void) {
  char line[1000];
  int failed = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    Calc calc = {line, NULL};
    const double value = calc_expression(&calc);
    if (calc_peek(&calc) != '\0') calc_fail(&calc, "expected an operator");
    if (calc.error == NULL) {
      printf("%g\n", value);
    } else {
      printf("error: %s\n", calc.error);
      failed = 1;
    }
  }
  return failed;
}
