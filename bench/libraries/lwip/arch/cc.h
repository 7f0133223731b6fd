/* What lwIP asks of a compiler and a board, of which there is none. */
#pragma once
#define LWIP_PLATFORM_DIAG(words) \
  do {                            \
  } while (0)
unsigned ordo_chance(void);
#define LWIP_RAND() ordo_chance()
#define LWIP_PLATFORM_ASSERT(words) __builtin_trap()
