#include "calc.h"

static double factor(Calc* calc) {
  const char next = calc_peek(calc);
  if (next == '-') {
    calc->rest++;
    return -factor(calc);
  }
  if (next != '(') return calc_number(calc);
  calc->rest++;
  const double value = calc_expression(calc);
  if (calc_peek(calc) == ')')
    calc->rest++;
  else
    calc_fail(calc, "expected )");
  return value;
}

static double term(Calc* calc) {
  double value = factor(calc);
  for (;;) {
    const char next = calc_peek(calc);
    if (next != '*' && next != '/') return value;
    calc->rest++;
    const double right = factor(calc);
    if (next == '/' && right == 0) calc_fail(calc, "division by zero");
    value = next == '*' ? value * right : value / right;
  }
}

double calc_expression(Calc* calc) {
  double value = term(calc);
  for (;;) {
    const char next = calc_peek(calc);
    if (next != '+' && next != '-') return value;
    calc->rest++;
    const double right = term(calc);
    value = next == '+' ? value + right : value - right;
  }
}
