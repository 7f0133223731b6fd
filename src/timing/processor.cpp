#include "timing/processor.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <sstream>
#include <string>

#include "support/files.h"

namespace ordo::timing {

std::optional<ProcessorTimes> parseProcessorTimes(std::string_view stat, unsigned number,
                                                  double ticks_per_s) {
  const std::string name = fmt::format("cpu{} ", number);
  std::size_t begin = stat.starts_with(name) ? 0 : stat.find("\n" + name);
  if (begin == std::string_view::npos) return std::nullopt;
  begin = stat.find(' ', begin);
  std::istringstream line{std::string(stat.substr(begin, stat.find('\n', begin) - begin))};
  enum { kUser, kNice, kSystem, kIdle, kIoWait, kInterrupt, kSoftInterrupt, kStolen, kColumns };
  std::array<double, kColumns> ticks{};
  for (double& column : ticks) line >> column;
  if (!line) return std::nullopt;
  return ProcessorTimes{
      (ticks[kUser] + ticks[kNice] + ticks[kSystem] + ticks[kInterrupt] + ticks[kSoftInterrupt]) /
          ticks_per_s,
      ticks[kStolen] / ticks_per_s, (ticks[kIdle] + ticks[kIoWait]) / ticks_per_s};
}

Result<ProcessorTimes> processorTimes(unsigned number) {
  ORDO_TRY_ASSIGN(const std::string stat, readFile("/proc/stat"));
  const auto times = parseProcessorTimes(stat, number, static_cast<double>(::sysconf(_SC_CLK_TCK)));
  if (!times) return fail(ErrorCode::kNotFound, "/proc/stat has no processor {}", number);
  return *times;
}

std::vector<unsigned> allowedProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<unsigned> allowed;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) allowed.push_back(i);
  }
  return allowed;
}

Result<unsigned> quietestProcessor(double seconds) {
  const std::vector<unsigned> allowed = allowedProcessors();
  std::vector<ProcessorTimes> before;
  for (const unsigned processor : allowed) {
    ORDO_TRY_ASSIGN(ProcessorTimes times, processorTimes(processor));
    before.push_back(times);
  }
  const timespec pause{static_cast<time_t>(seconds), static_cast<long>(std::fmod(seconds, 1) * 1e9)};
  ::nanosleep(&pause, nullptr);
  unsigned best = allowed.front();
  double most_idle_s = -1;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    ORDO_TRY_ASSIGN(const ProcessorTimes now, processorTimes(allowed[i]));
    if (const double idle_s = now.idle_s - before[i].idle_s; idle_s > most_idle_s) {
      best = allowed[i];
      most_idle_s = idle_s;
    }
  }
  return best;
}

}  // namespace ordo::timing
