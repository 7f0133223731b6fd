#include "llvm/features/cpu_info.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include "support/files.h"

namespace ordo::features {
namespace {

namespace fs = std::filesystem;

// Without the line's end; empty if it cannot be read.
std::string readLine(const fs::path& path) {
  std::string text = readFile(path).value_or("");
  return text.substr(0, text.find('\n'));
}

// "48K", "1024K", "32M"
std::int64_t bytes(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return 0;
  const char unit = end == text.data() + text.size() ? ' ' : *end;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : unit == 'G' ? number << 30 : number;
}

// Whether the rest of `name` after `prefix` is a number: cpu0 and not cpufreq.
bool isNumbered(const std::string& name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

}  // namespace

std::array<std::int64_t, std::size(kCpuInfoNames)> readCpuInfo(const fs::path& folder) {
  std::array<std::int64_t, std::size(kCpuInfoNames)> info{};
  // A cache that cores share is listed below each of them: who shares it tells caches apart.
  std::array<std::set<std::string>, std::size(kCpuInfoNames)> sharers;
  std::error_code ignored;
  for (const fs::directory_entry& cpu : fs::directory_iterator(folder, ignored)) {
    if (!isNumbered(cpu.path().filename(), "cpu")) continue;
    // What is off has no cache; cpu0 can have no such file, because it cannot be turned off.
    if (readLine(cpu.path() / "online") == "0") continue;
    ++info[0];
    for (const fs::directory_entry& cache : fs::directory_iterator(cpu.path() / "cache", ignored)) {
      if (!isNumbered(cache.path().filename(), "index")) continue;
      const std::string level = readLine(cache.path() / "level");
      if (level < "1" || level > "4" || level.size() != 1) continue;
      const bool instructions = readLine(cache.path() / "type") == "Instruction";
      const std::size_t place =
          level == "1" ? (instructions ? 3 : 1) : 1 + 2 * static_cast<std::size_t>(level[0] - '0');
      info[place] = std::max(info[place], bytes(readLine(cache.path() / "size")));
      sharers[place].insert(readLine(cache.path() / "shared_cpu_list"));
    }
  }
  for (std::size_t place = 1; place < info.size(); place += 2) {
    info[place + 1] = static_cast<std::int64_t>(sharers[place].size());
  }
  return info;
}

}  // namespace ordo::features
