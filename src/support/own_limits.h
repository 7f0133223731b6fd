// What this process may use, set by itself and for what it runs.
#pragma once

#include <cstdint>

namespace ordo {

// The soft limit of `resource` (RLIMIT_…), as far as the hard one lets it, which is somebody else's to set.
void setSoftLimit(int resource, std::uint64_t value);

// Bytes of address space, and of memory, that this process has now.
std::uint64_t mappedBytes();
std::uint64_t residentBytes();

}  // namespace ordo
