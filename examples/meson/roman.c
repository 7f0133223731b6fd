#include "roman.h"

#include <string.h>

static const struct {
  const char* letters;
  int value;
} kParts[] = {{"M", 1000}, {"CM", 900}, {"D", 500}, {"CD", 400}, {"C", 100}, {"XC", 90}, {"L", 50},
              {"XL", 40},  {"X", 10},   {"IX", 9},  {"V", 5},    {"IV", 4},  {"I", 1}};
enum { kCount = sizeof kParts / sizeof kParts[0] };

void roman_numeral(int value, char* numeral) {
  *numeral = '\0';
  for (int i = 0; i < kCount; i++) {
    for (; value >= kParts[i].value; value -= kParts[i].value) strcat(numeral, kParts[i].letters);
  }
}

int roman_value(const char* numeral) {
  const char* rest = numeral;
  int value = 0;
  for (int i = 0; i < kCount; i++) {
    const size_t length = strlen(kParts[i].letters);
    for (; strncmp(rest, kParts[i].letters, length) == 0; rest += length) value += kParts[i].value;
  }
  // Only one numeral of each value is right.
  char again[16];
  if (*rest != '\0' || value < 1 || value > 3999) return 0;
  roman_numeral(value, again);
  return strcmp(numeral, again) == 0 ? value : 0;
}
