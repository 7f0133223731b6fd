#include "support/usage.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ordo {
namespace {

double secondsOf(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double cpuSecondsOf(int pid) {
  clockid_t clock{};
  return ::clock_getcpuclockid(pid, &clock) == 0 ? secondsOf(clock) : 0;
}

// Of children that were waited for.
double buriedCpuSeconds(int pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  // The second field is the program's name in parentheses, which may contain anything. Of what follows
  // it, the 14th and 15th are cutime and cstime (proc(5)).
  std::size_t at = line.rfind(')');
  for (int field = 0; field < 14 && at != std::string::npos; ++field) at = line.find(' ', at + 1);
  if (at == std::string::npos) return 0;
  unsigned long long user = 0, system = 0;
  if (std::sscanf(line.c_str() + at, "%llu %llu", &user, &system) != 2) return 0;
  return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::uint64_t peakBytesOf(int pid) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return 0;
}

// Children of one thread of a process.
std::vector<int> childrenOf(int pid, const std::string& thread) {
  std::vector<int> children;
  std::ifstream file(fmt::format("/proc/{}/task/{}/children", pid, thread));
  for (int child = 0; file >> child;) children.push_back(child);
  return children;
}

// The letter of a process or a thread, as proc(5) has them; 0 if it is gone. Its name, which is in front of
// that, may contain anything.
char stateIn(const std::filesystem::path& stat) {
  std::ifstream file(stat);
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(") ");
  return name_end != std::string::npos && name_end + 2 < line.size() ? line[name_end + 2] : '\0';
}

}  // namespace

double threadCpuSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

double processCpuSeconds() { return secondsOf(CLOCK_PROCESS_CPUTIME_ID); }

FamilyUsage familyUsage(int pid) {
  FamilyUsage usage{.cpu_s = cpuSecondsOf(pid) + buriedCpuSeconds(pid), .peak_bytes = 0};
  for (const int child : childrenOf(pid, std::to_string(pid))) {
    usage.cpu_s += cpuSecondsOf(child);
    usage.peak_bytes = std::max(usage.peak_bytes, peakBytesOf(child));
  }
  return usage;
}

double treeCpuSeconds(int pid) {
  double cpu_s = cpuSecondsOf(pid) + buriedCpuSeconds(pid);
  std::error_code gone;  // a process may end while it is looked at
  std::filesystem::directory_iterator threads(fmt::format("/proc/{}/task", pid), gone);
  for (; !gone && threads != std::filesystem::directory_iterator(); threads.increment(gone)) {
    for (const int child : childrenOf(pid, threads->path().filename().string()))
      cpu_s += treeCpuSeconds(child);
  }
  return cpu_s;
}

bool isAtWork(int pid) {
  std::error_code gone;
  std::filesystem::directory_iterator threads(fmt::format("/proc/{}/task", pid), gone);
  for (; !gone && threads != std::filesystem::directory_iterator(); threads.increment(gone)) {
    const char state = stateIn(threads->path() / "stat");
    if (state == 'R' || state == 'D') return true;
  }
  return false;
}

bool isStopped(int pid) { return stateIn(fmt::format("/proc/{}/stat", pid)) == 'T'; }

}  // namespace ordo
