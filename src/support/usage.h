// What threads and processes have used so far, as Linux counts it.
#pragma once

#include <cstdint>

namespace ordo {

// Processor time of the calling thread, in seconds; about 1 µs.
double threadCpuSeconds();

// Processor time of all threads of this process, without its children.
double processCpuSeconds();

struct FamilyUsage {
  double cpu_s = 0;              // user and system
  std::uint64_t peak_bytes = 0;  // the largest resident memory that one living child has had
};

// Of the process `pid`, which has one thread, and its children: those that live, and the time of those
// it has waited for, which the kernel counts in hundredths of a second. About 100 µs. All zero if there
// is no such process.
FamilyUsage familyUsage(int pid);

// Processor time of the process `pid`, all its threads, and everything they have started, as far down as it
// goes: those that live, and those that were waited for. About 100 µs a process.
double treeCpuSeconds(int pid);

// Whether a thread of the process `pid` runs, is to run once there is a processor for it, or waits for a
// disk: it gets on, however slow the machine is. As all waits it may be over at once: who decides by it looks
// again. About 10 µs a thread.
bool isAtWork(int pid);

// Whether a signal (SIGSTOP, SIGTSTP) has stopped the process `pid`, as against a debugger. About 10 µs.
bool isStopped(int pid);

}  // namespace ordo
