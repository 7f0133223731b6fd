// What the program sees of the board: a serial line, and a way to stop.
#pragma once
#include <stdint.h>

void serial_put(char c);
char serial_get(void);                  // waits for it
_Noreturn void board_stop(int status);  // ends the emulator with that exit status
