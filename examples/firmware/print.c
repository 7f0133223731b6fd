#include "print.h"

#include <stdarg.h>
#include <stdbool.h>

#include "board.h"

static void number(uint32_t value, uint32_t base, int width, char fill) {
  char digits[12];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value != 0);
  for (; width > count; --width) serial_put(fill);
  while (count > 0) serial_put(digits[--count]);
}

void print(const char* format, ...) {
  va_list values;
  va_start(values, format);
  for (; *format; ++format) {
    if (*format != '%') {
      serial_put(*format);
      continue;
    }
    ++format;
    const char fill = *format == '0' ? '0' : ' ';
    int width = 0;
    for (; *format >= '0' && *format <= '9'; ++format) width = width * 10 + *format - '0';
    switch (*format) {
      case 'd': {
        int value = va_arg(values, int);
        if (value < 0) {
          serial_put('-');
          --width;
        }
        number(value < 0 ? 0u - (uint32_t)value : (uint32_t)value, 10, width, fill);
        break;
      }
      case 'u':
        number(va_arg(values, unsigned), 10, width, fill);
        break;
      case 'x':
        number(va_arg(values, unsigned), 16, width, fill);
        break;
      case 's': {
        const char* text = va_arg(values, const char*);
        for (; *text; ++text, --width) serial_put(*text);
        for (; width > 0; --width) serial_put(' ');
        break;
      }
      case 'c':
        serial_put((char)va_arg(values, int));
        break;
      default:
        serial_put(*format);
        break;
    }
  }
  va_end(values);
}
