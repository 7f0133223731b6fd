// What a test asks about processes, in its own eyes and not in those of the code under test.
#pragma once

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace ordo::sandbox {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

// Long enough for anything that should happen at once, on a machine where others build: what hangs
// takes for ever, what works takes milliseconds. ctest ends a test after three times that.
inline constexpr double kSoon = 100;

// Waits for the end of any process; true if it has ended.
inline bool ends(int pid, double seconds = kSoon) {
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return errno == ESRCH;
  pollfd event{pidfd, POLLIN, 0};
  const int ready = ::poll(&event, 1, static_cast<int>(seconds * 1000));
  ::close(pidfd);
  return ready == 1;
}

// For what has no event to wait for, such as the burial of a zombie.
template <typename Predicate>
bool becomesTrue(Predicate predicate, double seconds = kSoon) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!predicate()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// Zombies count too.
inline std::vector<int> childrenOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  std::vector<int> children;
  for (int child; file >> child;) children.push_back(child);
  return children;
}

inline std::size_t descriptorsOf(int pid) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    ++count;
  }
  return count;
}

inline std::size_t residentBytes(int pid) {
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(pid) + "/statm") >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace ordo::sandbox
