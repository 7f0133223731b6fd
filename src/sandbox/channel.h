// A mailbox in shared memory between a coordinator and one worker: one request, one reply.
//
// Both sides spin for some tens of microseconds and then sleep on a futex, so a round trip costs
// under 1 µs while the other side is quick and one wake-up (20 to 40 µs) when it is not.
// The payload is plain bytes at a fixed place; the layout above it belongs to env/wire.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "support/error.h"

namespace ordo::sandbox {

// The first page of the shared region. Everything a dying worker leaves behind is here.
struct ChannelHeader {
  std::atomic<std::uint32_t> request{0};  // number of the latest request; futex of the worker
  std::atomic<std::uint32_t> reply{0};    // number of the latest reply; futex of the coordinator
  // Set by the zygote when the worker is gone; `reply` becomes kEndedReply then, to end any wait.
  std::atomic<std::uint32_t> ended{0};
  std::atomic<std::int32_t> wait_status{0};  // as waitpid() gave it; valid once ended
  std::atomic<std::uint64_t> peak_bytes{0};  // the most memory that it ever had resident; valid once ended
  std::atomic<std::uint32_t> taken{0};       // number of the latest request that the worker took up
  std::atomic<std::uint32_t> progress{0};    // steps of the request that are complete
  std::atomic<std::uint32_t> out_of_memory{0};
  std::atomic<std::uint32_t> request_bytes{0};
  std::atomic<std::uint32_t> reply_bytes{0};
  std::atomic<std::uint64_t> rss_bytes{0};  // resident memory of the worker, sampled
  // 0 if the worker is to sleep as soon as it has replied: worth it where others want its processor.
  std::atomic<std::uint32_t> spin{1};
  char last_words[512] = {};  // what it said before it died, null-terminated
};

inline constexpr std::uint32_t kEndedReply = 0xffffffff;
// As `request`: the worker is not wanted. The way to end one without a process descriptor.
inline constexpr std::uint32_t kLeaveRequest = 0xffffffff;

// A mapping of the region. Move-only; unmaps on destruction, closes nothing.
class Channel {
 public:
  static constexpr std::size_t kPayloadOffset = 4096;
  // Address space, not memory: pages exist once touched.
  static constexpr std::size_t kCapacity = std::size_t{256} << 20;

  // A new anonymous region. The descriptor is the caller's to pass on and close.
  struct Created;
  static Result<Created> create();
  // Maps a region made by create() elsewhere.
  static Result<Channel> map(int fd);

  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel();

  ChannelHeader& header() const { return *static_cast<ChannelHeader*>(base_); }
  std::span<std::byte> payload() const {
    return {static_cast<std::byte*>(base_) + kPayloadOffset, kCapacity - kPayloadOffset};
  }

  // Gives the payload's pages past `keep` bytes back to the system.
  void trim(std::size_t keep) const;

 private:
  explicit Channel(void* base) : base_(base) {}
  void* base_ = nullptr;
};

struct Channel::Created {
  Channel channel;
  int fd;
};

// One word in shared memory that every worker of a zygote changes when it replies or ends, so that a
// coordinator with many calls under way can wait for whichever is answered first.
class Bell {
 public:
  struct Created;
  static Result<Created> create();
  // Maps a bell made by create() elsewhere.
  static Result<Bell> map(int fd);

  Bell(Bell&& other) noexcept : word_(std::exchange(other.word_, nullptr)) {}
  Bell& operator=(Bell&& other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  ~Bell();

  void ring() const;
  std::uint32_t rings() const { return word_->load(std::memory_order_acquire); }
  // Returns once rings() differs from `seen`, or after `seconds`.
  void wait(std::uint32_t seen, double seconds, class Patience& patience) const;

 private:
  explicit Bell(std::atomic<std::uint32_t>* word) : word_(word) {}
  std::atomic<std::uint32_t>* word_;
};

struct Bell::Created {
  Bell bell;
  int fd;  // the caller's to pass on and close
};

// How long it pays to spin before sleeping, learned from how long the last waits took: a wake-up
// costs 20 to 40 µs, which is much beside a step of 100 µs and nothing beside a pass of 20 ms.
class Patience {
 public:
  double spinSeconds() const;
  void learn(double waited_s);
  // Never spins.
  static Patience none();

 private:
  bool spins_ = true;
  double usual_s_ = 0;  // moving average
};

// Waits until `word` differs from `old` or `seconds` passed (for ever if negative); true if it
// differs. Spins first, as long as `patience` says, and teaches it.
bool waitForChange(const std::atomic<std::uint32_t>& word, std::uint32_t old, double seconds,
                   Patience& patience);

void wake(const std::atomic<std::uint32_t>& word);

}  // namespace ordo::sandbox
