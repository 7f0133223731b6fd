// A pocket calculator: + - * / ( ) on numbers.
#ifndef CALC_H
#define CALC_H

typedef struct {
  const char* rest;   // of the line that is read
  const char* error;  // what was wrong first, or NULL
} Calc;

double calc_expression(Calc* calc);
double calc_number(Calc* calc);
char calc_peek(Calc* calc);
void calc_fail(Calc* calc, const char* error);

#endif
