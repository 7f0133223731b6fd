// What the rest of the firmware sees of the board: a serial line, a clock, and a way to stop.
#pragma once
#include <stddef.h>
#include <stdint.h>

void serial_open(void);
void serial_put(char c);
char serial_get(void);                       // waits for it
_Noreturn void board_stop(unsigned status);  // ends the emulator with that exit status

void* memcpy(void* restrict to, const void* restrict from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
int memcmp(const void* a, const void* b, size_t bytes);
size_t strlen(const char* text);
