// Recursive descent: a function for each level of operators, and the first error ends it all.
#include "calculator.h"

static const char* at;
static const char* problem;
static int32_t variables[26];

static int32_t sum(void);

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

static int32_t failed(const char* why) {
  if (!problem) problem = why;
  return 0;
}

static char next(void) {
  while (*at == ' ') ++at;
  return *at;
}

static bool take(char c) {
  if (next() != c) return false;
  ++at;
  return true;
}

static int32_t number(void) {
  uint32_t value = 0;
  for (; isDigit(*at); ++at) {
    if (value > 200000000) return failed("too large");
    value = 10 * value + (uint32_t)(*at - '0');
  }
  return (int32_t)value;
}

static int32_t factor(void) {
  static int depth;
  if (depth > 8) return failed("too deep");
  ++depth;
  int32_t value = 0;
  if (take('(')) {
    value = sum();
    if (!take(')')) value = failed("a bracket is open");
  } else if (take('-')) {
    value = -factor();
  } else if (isLetter(next())) {
    value = variables[*at++ - 'a'];
  } else if (isDigit(*at)) {
    value = number();
  } else {
    value = failed(*at ? "not a number" : "something is missing");
  }
  --depth;
  return value;
}

static int32_t product(void) {
  int32_t value = factor();
  for (;;) {
    if (take('*')) {
      value = (int32_t)((uint32_t)value * (uint32_t)factor());
    } else if (take('/')) {
      const int32_t by = factor();
      value = by == 0 ? failed("by nothing") : by == -1 ? (int32_t)(0U - (uint32_t)value) : value / by;
    } else if (take('%')) {
      const int32_t by = factor();
      value = by == 0 ? failed("by nothing") : by == -1 ? 0 : value % by;
    } else {
      return value;
    }
  }
}

static int32_t sum(void) {
  int32_t value = product();
  for (;;) {
    if (take('+')) {
      value = (int32_t)((uint32_t)value + (uint32_t)product());
    } else if (take('-')) {
      value = (int32_t)((uint32_t)value - (uint32_t)product());
    } else {
      return value;
    }
  }
}

bool calculate(const char* text, int32_t* value, const char** error) {
  at = text;
  problem = 0;
  int32_t* to = 0;
  if (isLetter(next())) {
    const char* begin = at;
    to = &variables[*at++ - 'a'];
    if (!take('=')) {
      at = begin;
      to = 0;
    }
  }
  *value = sum();
  if (!problem && next()) failed("more than a sum");
  if (!problem && to) *to = *value;
  *error = problem;
  return !problem;
}
