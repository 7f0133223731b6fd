// Processors as /proc/stat counts them: who used one, and which is the quietest.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::timing {

// Since the machine started, in seconds; the kernel counts in hundredths.
struct ProcessorTimes {
  double busy_s = 0;    // user, nice, system and interrupts
  double stolen_s = 0;  // a host ran something else
  double idle_s = 0;    // also waiting for disks

  double total_s() const { return busy_s + stolen_s + idle_s; }
};

// Of processor `number`, from the text of /proc/stat (proc(5)); nothing if it is not in it. Guests are in
// busy_s once, as user time has them.
std::optional<ProcessorTimes> parseProcessorTimes(std::string_view stat, unsigned number, double ticks_per_s);

// The same of now.
Result<ProcessorTimes> processorTimes(unsigned number);

// Those that the calling thread may use.
std::vector<unsigned> allowedProcessors();

// Of those, the one that was busy least over the next `seconds`, which this takes.
Result<unsigned> quietestProcessor(double seconds);

}  // namespace ordo::timing
