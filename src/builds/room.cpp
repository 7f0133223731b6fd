#include "builds/room.h"

#include <fmt/format.h>
#include <sys/resource.h>

namespace ordo::builds {
namespace {

// Sockets, the cache's files, and what a search starts.
constexpr rlim_t kFiles = 64;
// The compiler's own thread has the plugin's passes on it.
constexpr rlim_t kStackBytes = rlim_t{2} << 20;
// The cache's database.
constexpr rlim_t kFileBytes = rlim_t{64} << 20;

}  // namespace

std::string tightLimit() {
  struct Least {
    __rlimit_resource resource;
    rlim_t value;
    const char* option;
    rlim_t unit;
  };
  for (const auto& [resource, value, option, unit] :
       {Least{RLIMIT_NOFILE, kFiles, "-n", 1}, Least{RLIMIT_STACK, kStackBytes, "-s", 1024},
        Least{RLIMIT_FSIZE, kFileBytes, "-f", 1024}}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur < value)
      return fmt::format("`ulimit {} {}` leaves no room for more than clang", option, limit.rlim_cur / unit);
  }
  return "";
}

}  // namespace ordo::builds
