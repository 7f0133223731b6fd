// What drivers of libraries share.
#ifndef ORDO_PROGRAMS_DRIVER_H
#define ORDO_PROGRAMS_DRIVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program with a message unless `ok`.
static inline void check(int ok, const char* what) {
  if (ok) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

// All of standard input, with a null character behind it.
static inline unsigned char* read_all(size_t* size) {
  size_t room = 1 << 16;
  unsigned char* data = (unsigned char*)malloc(room);
  for (*size = 0;;) {
    check(data != NULL, "memory");
    *size += fread(data + *size, 1, room - *size - 1, stdin);
    if (*size + 1 < room) break;
    data = (unsigned char*)realloc(data, room *= 2);
  }
  data[*size] = 0;
  return data;
}

// The argument at `index`, a number.
static inline int number(int argc, char** argv, int index) {
  check(index < argc, "an argument is missing");
  return atoi(argv[index]);
}

#endif
