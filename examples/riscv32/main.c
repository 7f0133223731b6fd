// Reads a line, answers it, and so on: a sum, "crc TEXT", or "halt STATUS".
#include "board.h"
#include "calculator.h"

enum { kLine = 80 };

static void readLine(char* line) {
  int length = 0;
  for (char c; (c = serial_get()) != '\n';) {
    if (c != '\r' && length < kLine - 1) line[length++] = c;
  }
  line[length] = 0;
}

static void print(const char* text) {
  while (*text) serial_put(*text++);
}

static void printNumber(int32_t value) {
  char digits[12];
  char* begin = digits + sizeof digits - 1;
  uint32_t rest = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
  *begin = 0;
  do {
    *--begin = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (value < 0) *--begin = '-';
  print(begin);
}

static void printHex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) serial_put("0123456789abcdef"[value >> shift & 15]);
}

static uint32_t crc32(const char* text) {
  uint32_t crc = 0xffffffff;
  for (; *text; ++text) {
    crc ^= (uint8_t)*text;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

// What follows `word` in `line`, or null.
static const char* after(const char* word, const char* line) {
  while (*word) {
    if (*word++ != *line++) return 0;
  }
  return line;
}

int main(void) {
  char line[kLine];
  for (int wrong = 0;;) {
    readLine(line);
    int32_t value;
    const char *error, *rest;
    if ((rest = after("halt ", line))) {
      printNumber(wrong);
      print(" wrong\n");
      return *rest - '0';
    }
    if ((rest = after("crc ", line))) {
      printHex(crc32(rest));
    } else if (calculate(line, &value, &error)) {
      printNumber(value);
    } else {
      print("? ");
      print(error);
      ++wrong;
    }
    print("\n");
  }
}
