// One loop, called as often as the first argument says, on arrays that a fixed generator has filled. HINT
// stands before the loop, so that a pragma can be put there.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef HINT
#define HINT
#endif
#define KERNEL __attribute__((noinline)) static

static inline uint32_t chance(void) {
  static uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static void fill(void* to, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((volatile uint8_t*)to)[i] = (uint8_t)chance();
}

static inline uint64_t hashed(const void* of, size_t bytes) {
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const volatile uint8_t*)of)[i]) * 1099511628211u;
  return hash;
}

// Between calls, so that none can be merged with another, whoever unrolls the loop around them.
static inline void again(void) { __asm__ volatile("" ::: "memory"); }

static inline long rounds(int argc, char** argv) { return argc > 1 ? atol(argv[1]) : 1; }
