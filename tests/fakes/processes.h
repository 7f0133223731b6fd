// What the kernel says of processes, for tests that hold their number and memory flat.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <vector>

namespace ordo {

inline std::uint64_t rssBytes(int pid) {
  std::uint64_t size = 0, resident = 0;
  std::ifstream(fmt::format("/proc/{}/statm", pid)) >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Processes whose parent is `pid`.
inline std::vector<int> childrenOf(int pid) {
  std::vector<int> children;
  std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (int child; list >> child;) children.push_back(child);
  return children;
}

}  // namespace ordo
