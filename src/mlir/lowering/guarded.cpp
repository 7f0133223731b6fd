#include "mlir/lowering/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace ordo::lowering {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::byte kPaint{0xa5};

std::size_t page() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

Result<Guarded> Guarded::create(std::size_t bytes) {
  const std::size_t inside = (bytes + kLine + page() - 1) / page() * page(), mapped = inside + 2 * page();
  void* const map = ::mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return fail(ErrorCode::kUnavailable, "no memory for {} bytes: {}", bytes, std::strerror(errno));
  Guarded guarded(static_cast<std::byte*>(map), mapped, bytes);
  if (::mprotect(guarded.begin(), inside, PROT_READ | PROT_WRITE) != 0)
    return fail(ErrorCode::kUnavailable, "no memory for {} bytes: {}", bytes, std::strerror(errno));
  guarded.paint();
  return guarded;
}

Guarded::~Guarded() {
  if (map_ != nullptr) ::munmap(map_, mapped_);
}

std::byte* Guarded::begin() const { return map_ + page(); }
std::byte* Guarded::data() const { return map_ + mapped_ - page() - bytes_; }

std::byte* Guarded::aligned() const { return data() - reinterpret_cast<std::uintptr_t>(data()) % kLine; }

void Guarded::paint() { std::fill(begin(), data(), kPaint); }

bool Guarded::intact() const {
  return std::all_of(begin(), data(), [](std::byte byte) { return byte == kPaint; });
}

}  // namespace ordo::lowering
