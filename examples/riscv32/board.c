// From reset to main() on qemu's virt, and its serial line, a 16550.
#include "board.h"

extern uint32_t data_load[], data_start[], data_end[], bss_start[], bss_end[];

int main(void);

struct Uart {
  volatile uint8_t data, interrupts, fifo, line, modem, state;
};
enum { kReceived = 1, kSendEmpty = 32 };

#define UART ((struct Uart*)0x10000000)

void serial_put(char c) {
  while (!(UART->state & kSendEmpty)) {
  }
  UART->data = (uint8_t)c;
}

char serial_get(void) {
  while (!(UART->state & kReceived)) {
  }
  return (char)UART->data;
}

// Semihosting: the debugger, here the emulator, does what a0 says with what a1 points to.
_Noreturn void board_stop(int status) {
  enum { kExitExtended = 0x20, kApplicationExit = 0x20026 };
  const uint32_t block[2] = {kApplicationExit, (uint32_t)status};
  register uint32_t what __asm__("a0") = kExitExtended;
  register const uint32_t* with __asm__("a1") = block;
  // These three, uncompressed and side by side, are the call.
  __asm__ volatile(
      ".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
      :
      : "r"(what), "r"(with)
      : "memory");
  for (;;) {
  }
}

// Once there is a stack.
__attribute__((used)) _Noreturn static void begin(void) {
  for (uint32_t *to = data_start, *from = data_load; to < data_end;) *to++ = *from++;
  for (uint32_t* to = bss_start; to < bss_end;) *to++ = 0;
  board_stop(main());
}

__attribute__((naked, section(".text.start"), used)) void start(void) {
  __asm__("la sp, stack_top\ntail %0" : : "i"(begin));
}
