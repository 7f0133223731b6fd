// From reset to main(): the vector table, the copy of initialised data, and what catches faults.
#include "board.h"

extern uint32_t stack_top[], data_load[], data_start[], data_end[], bss_start[], bss_end[];

int main(void);

// Semihosting: the debugger, here the emulator, does what r0 says with what r1 points to.
_Noreturn void board_stop(unsigned status) {
  enum { kExitExtended = 0x20, kApplicationExit = 0x20026 };
  const uint32_t block[2] = {kApplicationExit, status};
  register uint32_t what __asm__("r0") = kExitExtended;
  register const uint32_t* with __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : : "r"(what), "r"(with) : "memory");
  for (;;) {
  }
}

static void onReset(void) {
  for (uint32_t *to = data_start, *from = data_load; to < data_end;) *to++ = *from++;
  for (uint32_t* to = bss_start; to < bss_end;) *to++ = 0;
  board_stop((unsigned)main());
}

static void onFault(void) { board_stop(99); }

__attribute__((section(".vectors"), used)) const uintptr_t vectors[16] = {
    (uintptr_t)stack_top, (uintptr_t)onReset, (uintptr_t)onFault, (uintptr_t)onFault,
    (uintptr_t)onFault,   (uintptr_t)onFault, (uintptr_t)onFault,
};
