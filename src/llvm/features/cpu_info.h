// What Linux says of the host's processors and their caches.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace ordo::features {

// Bytes are those of one cache, counts how many the machine has; 0 is unknown or none.
inline constexpr std::string_view kCpuInfoNames[] = {"logical_cores", "l1d_bytes", "l1d_count", "l1i_bytes",
                                                     "l1i_count",     "l2_bytes",  "l2_count",  "l3_bytes",
                                                     "l3_count",      "l4_bytes",  "l4_count"};

// In the order of kCpuInfoNames, from a folder like /sys/devices/system/cpu. Where caches of a level differ
// (fast and slow cores), their size is that of the largest.
std::array<std::int64_t, std::size(kCpuInfoNames)> readCpuInfo(const std::filesystem::path& folder);

}  // namespace ordo::features
