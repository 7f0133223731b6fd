#pragma once
#include <stdint.h>

// As printf(), of which it has %d, %u, %x, %s, %c and %%, with a width and zeros in front: %08x.
void print(const char* format, ...) __attribute__((format(printf, 1, 2)));
