// Waiting in tests for what another thread or process does: for as long as a test may take, which ctest says,
// so that no machine is too slow.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace ordo::fakes {

// Looks until it is so, and says true then.
template <typename Is>
bool eventually(const Is& is) {
  while (!is()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return true;
}

// Returns once the thread of this process, of that number (gettid(2)), waits in the kernel for something.
inline void untilItWaits(int thread) {
  eventually([&] {
    std::ifstream file(fmt::format("/proc/self/task/{}/stat", thread));
    std::string line;
    std::getline(file, line);
    return line.find(") S ") != std::string::npos;
  });
}

}  // namespace ordo::fakes
