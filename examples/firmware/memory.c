// What compilers call without being asked. They may not make calls of these loops again.
#include "board.h"

#define PLAIN __attribute__((no_builtin))

PLAIN void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  char* restrict t = to;
  const char* restrict f = from;
  while (bytes-- > 0) *t++ = *f++;
  return to;
}

PLAIN void* memmove(void* to, const void* from, size_t bytes) {
  char* t = to;
  const char* f = from;
  if (t < f) {
    while (bytes-- > 0) *t++ = *f++;
  } else {
    while (bytes-- > 0) t[bytes] = f[bytes];
  }
  return to;
}

PLAIN void* memset(void* to, int value, size_t bytes) {
  char* t = to;
  while (bytes-- > 0) *t++ = (char)value;
  return to;
}

PLAIN int memcmp(const void* a, const void* b, size_t bytes) {
  const unsigned char *x = a, *y = b;
  for (; bytes > 0; --bytes, ++x, ++y) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

PLAIN size_t strlen(const char* text) {
  size_t bytes = 0;
  while (text[bytes]) ++bytes;
  return bytes;
}

// The same by the names of Arm's run-time ABI, whose memset() has its arguments the other way round.
#define ALSO(name, as) void* name(void* to, const void* from, size_t bytes) __attribute__((alias(#as)))
ALSO(__aeabi_memcpy, memcpy);
ALSO(__aeabi_memcpy4, memcpy);
ALSO(__aeabi_memcpy8, memcpy);
ALSO(__aeabi_memmove, memmove);
ALSO(__aeabi_memmove4, memmove);
ALSO(__aeabi_memmove8, memmove);

PLAIN void __aeabi_memset(void* to, size_t bytes, int value) { memset(to, value, bytes); }
PLAIN void __aeabi_memclr(void* to, size_t bytes) { memset(to, 0, bytes); }
#define CLEAR(name) void name(void* to, size_t bytes) __attribute__((alias("__aeabi_memclr")))
CLEAR(__aeabi_memclr4);
CLEAR(__aeabi_memclr8);
