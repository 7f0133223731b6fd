#include "support/own_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace ordo {
namespace {

std::uint64_t pagesOf(int field) {
  std::uint64_t pages[2] = {0, 0};
  std::ifstream("/proc/self/statm") >> pages[0] >> pages[1];
  return pages[field] * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void setSoftLimit(int resource, std::uint64_t value) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

std::uint64_t mappedBytes() { return pagesOf(0); }
std::uint64_t residentBytes() { return pagesOf(1); }

}  // namespace ordo
