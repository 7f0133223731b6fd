#pragma once
#include <stdbool.h>
#include <stddef.h>

enum JsonKind { kNull, kBool, kNumber, kString, kArray, kObject, kKinds };

struct JsonReport {
  unsigned count[kKinds];
  int depth;          // the deepest
  long sum;           // of whole numbers
  const char* error;  // "" if it is JSON
  size_t at;          // where it is not
};

// Reads one value (RFC 8259) and counts what is in it.
void json_read(const char* text, struct JsonReport* report);
