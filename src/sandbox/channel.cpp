// waitForChange() is the heart: it reads the word in short bursts for as long as Patience says, then sleeps
// in FUTEX_WAIT, which returns at once if the word has changed meanwhile, so no wake-up is lost. Patience is
// twice the moving average of the last waits, and never less than a wake-up costs; where waits are long, it
// is only that (none() never spins). Words are read with acquire order, so whoever changes one with release
// order has its payload seen. Regions are sparse memfds: only touched pages are memory.
#include "sandbox/channel.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

namespace ordo::sandbox {
namespace {

static_assert(sizeof(ChannelHeader) <= Channel::kPayloadOffset);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::uint64_t>::is_always_lock_free);

// About what a futex wake-up costs: spinning that long is at worst twice the best strategy in
// hindsight.
constexpr double kShortSpin = 40e-6;
// Nothing is worth more than that of a processor's time.
constexpr double kLongSpin = 1e-3;
constexpr std::size_t kBellBytes = 4096;

void* mapRegion(int fd, std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
}

struct Region {
  void* base;
  int fd;
};

Result<Region> createRegion(const char* name, std::size_t bytes) {
  const int fd = ::memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return fail(ErrorCode::kUnavailable, "cannot create shared memory: {}", std::strerror(errno));
  void* base = ::ftruncate(fd, static_cast<off_t>(bytes)) == 0 ? mapRegion(fd, bytes) : MAP_FAILED;
  if (base == MAP_FAILED) {
    const int error = errno;
    ::close(fd);
    return fail(ErrorCode::kUnavailable, "cannot map shared memory: {}", std::strerror(error));
  }
  return Region{base, fd};
}

// The futex call wants a plain pointer to the word; std::atomic<uint32_t> has its layout.
std::uint32_t* address(const std::atomic<std::uint32_t>& word) {
  return reinterpret_cast<std::uint32_t*>(const_cast<std::atomic<std::uint32_t>*>(&word));
}

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Result<Channel::Created> Channel::create() {
  ORDO_TRY_ASSIGN(const Region region, createRegion("ordo-channel", kCapacity));
  new (region.base) ChannelHeader();
  return Created{Channel(region.base), region.fd};
}

Result<Channel> Channel::map(int fd) {
  void* base = mapRegion(fd, kCapacity);
  if (base == MAP_FAILED)
    return fail(ErrorCode::kUnavailable, "cannot map shared memory: {}", std::strerror(errno));
  return Channel(base);
}

Channel::Channel(Channel&& other) noexcept : base_(std::exchange(other.base_, nullptr)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  std::swap(base_, other.base_);
  return *this;
}

Channel::~Channel() {
  if (base_ != nullptr) ::munmap(base_, kCapacity);
}

void Channel::trim(std::size_t keep) const {
  constexpr std::size_t kPage = 4096;
  const std::size_t from = kPayloadOffset + (keep + kPage - 1) / kPage * kPage;
  if (from < kCapacity) ::madvise(static_cast<std::byte*>(base_) + from, kCapacity - from, MADV_REMOVE);
}

Result<Bell::Created> Bell::create() {
  ORDO_TRY_ASSIGN(const Region region, createRegion("ordo-bell", kBellBytes));
  return Created{Bell(new (region.base) std::atomic<std::uint32_t>(0)), region.fd};
}

Result<Bell> Bell::map(int fd) {
  void* base = mapRegion(fd, kBellBytes);
  if (base == MAP_FAILED)
    return fail(ErrorCode::kUnavailable, "cannot map shared memory: {}", std::strerror(errno));
  return Bell(static_cast<std::atomic<std::uint32_t>*>(base));
}

Bell::~Bell() {
  if (word_ != nullptr) ::munmap(word_, kBellBytes);
}

void Bell::ring() const {
  word_->fetch_add(1, std::memory_order_release);
  wake(*word_);
}

void Bell::wait(std::uint32_t seen, double seconds, Patience& patience) const {
  waitForChange(*word_, seen, seconds, patience);
}

Patience Patience::none() {
  Patience patience;
  patience.spins_ = false;
  return patience;
}

double Patience::spinSeconds() const {
  if (!spins_) return 0;
  return usual_s_ > kLongSpin / 2 ? kShortSpin : std::max(kShortSpin, 2 * usual_s_);
}

void Patience::learn(double waited_s) {
  // One long pause is not to be remembered for ever.
  usual_s_ = 0.8 * usual_s_ + 0.2 * std::min(waited_s, 2 * kLongSpin);
}

bool waitForChange(const std::atomic<std::uint32_t>& word, std::uint32_t old, double seconds,
                   Patience& patience) {
  using Clock = std::chrono::steady_clock;
  const auto changed = [&] { return word.load(std::memory_order_acquire) != old; };
  const Clock::time_point start = Clock::now();
  const auto waited = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const double spin = patience.spinSeconds();
  do {
    for (int i = 0; i < 64; ++i) {
      if (changed()) {
        patience.learn(waited());
        return true;
      }
      pause();
    }
  } while (waited() < spin);
  while (!changed()) {
    timespec timeout{};
    const timespec* limit = nullptr;
    if (seconds >= 0) {
      // In parts, because not every double is a timespec.
      const double left = std::min(seconds - waited(), 3600.0);
      if (left <= 0) return false;
      timeout.tv_sec = static_cast<time_t>(left);
      timeout.tv_nsec = static_cast<long>((left - static_cast<double>(timeout.tv_sec)) * 1e9);
      limit = &timeout;
    }
    ::syscall(SYS_futex, address(word), FUTEX_WAIT, old, limit, nullptr, 0);
  }
  patience.learn(waited());
  return true;
}

void wake(const std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, address(word), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace ordo::sandbox
