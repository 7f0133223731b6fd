// The UART of Arm's MPS2 boards (CMSDK APB UART).
#include "board.h"

struct Uart {
  volatile uint32_t data, state, control, interrupts, divider;
};
enum { kSendFull = 1, kReceived = 2, kEnable = 3 };

#define UART ((struct Uart*)0x40004000)

void serial_open(void) {
  UART->divider = 16;
  UART->control = kEnable;
  (void)UART->data;  // what came before
}

void serial_put(char c) {
  while (UART->state & kSendFull) {
  }
  UART->data = (uint8_t)c;
}

char serial_get(void) {
  while (!(UART->state & kReceived)) {
  }
  return (char)UART->data;
}
