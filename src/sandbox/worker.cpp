#include "sandbox/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace ordo::sandbox {
namespace {

// How often a long call looks whether the zygote, which would report a death, is itself alive.
constexpr double kHeartbeat = 0.25;

std::string describe(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

}  // namespace

Worker::Worker(Channel channel, int pidfd, int pid, Limits limits, std::function<bool()> zygote_alive)
    : channel_(std::move(channel)),
      pidfd_(pidfd),
      pid_(pid),
      limits_(limits),
      zygote_alive_(std::move(zygote_alive)) {}

Worker::~Worker() {
  kill();
  ::close(pidfd_);
}

bool Worker::alive() const {
  pollfd event{pidfd_, POLLIN, 0};  // readable once the process has ended
  return alive_ && ::poll(&event, 1, 0) == 0;
}

void Worker::kill() {
  alive_ = false;
  ::syscall(SYS_pidfd_send_signal, pidfd_, SIGKILL, nullptr, 0);
}

CallResult Worker::gone(CallResult::Ending ending, std::string detail) {
  const std::uint32_t progress = channel_.header().progress.load();
  kill();
  return {ending, {}, progress, std::move(detail)};
}

CallResult Worker::died() {
  const ChannelHeader& header = channel_.header();
  const int status = header.wait_status.load();
  CallResult::Ending ending = CallResult::Ending::kDied;
  std::string detail = describe(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    ending = CallResult::Ending::kTimedOut;
    detail = fmt::format("used more than {:g} s of processor time", limits_.cpu_s);
  } else if (header.out_of_memory.load() != 0) {
    ending = CallResult::Ending::kOutOfMemory;
    detail = fmt::format("needed more than {} MiB", limits_.memory_bytes >> 20);
  }
  if (header.last_words[0] != '\0') {
    detail += fmt::format(
        ": {}", std::string_view(header.last_words, ::strnlen(header.last_words, sizeof header.last_words)));
  }
  if (header.taken.load() != requests_) ending = CallResult::Ending::kLost;
  return gone(ending, std::move(detail));
}

CallResult Worker::call(std::size_t bytes) {
  post(bytes, true);
  return finish();
}

void Worker::post(std::size_t bytes, bool spin) {
  ORDO_CHECK(bytes <= channel_.payload().size(), "a request of {} bytes", bytes);
  ChannelHeader& header = channel_.header();
  header.progress.store(0);
  progress_ = 0;
  step_start_s_ = clock_.seconds();
  ++requests_;
  spin_ = spin && limits_.spin;
  if (!alive_) return;
  header.spin.store(spin_ ? 1 : 0, std::memory_order_relaxed);
  header.request_bytes.store(static_cast<std::uint32_t>(bytes));
  header.request.store(requests_, std::memory_order_release);
  wake(header.request);
}

std::optional<CallResult> Worker::poll() {
  using Ending = CallResult::Ending;
  if (!alive_) return gone(Ending::kLost, "ended before");
  const ChannelHeader& header = channel_.header();
  // The reply word is changed by the worker with its reply and by the zygote with its death.
  const std::uint32_t reply = header.reply.load(std::memory_order_acquire);
  if (reply == requests_) {
    const std::uint32_t size = header.reply_bytes.load();
    if (size > channel_.payload().size()) return gone(Ending::kDied, "overwrote its mailbox");
    return CallResult{Ending::kReplied, channel_.payload().first(size), header.progress.load(), {}};
  }
  if (header.ended.load() != 0) return died();
  if (reply != requests_ - 1) return gone(Ending::kDied, "overwrote its mailbox");
  const double now = clock_.seconds();
  if (const std::uint32_t seen = header.progress.load(); seen != progress_) {
    progress_ = seen;
    step_start_s_ = now;
  }
  if (now - step_start_s_ >= limits_.wall_s) {
    const bool taken = header.taken.load() == requests_;
    return gone(taken ? Ending::kTimedOut : Ending::kLost,
                fmt::format("ran past {:g} s and was stopped", limits_.wall_s));
  }
  return std::nullopt;
}

bool Worker::answered() {
  const ChannelHeader& header = channel_.header();
  return !alive_ || header.reply.load(std::memory_order_acquire) != requests_ - 1 ||
         header.ended.load() != 0 || clock_.seconds() - step_start_s_ >= limits_.wall_s;
}

CallResult Worker::finish() {
  const ChannelHeader& header = channel_.header();
  Patience none = Patience::none();
  for (;;) {
    if (std::optional<CallResult> result = poll()) return *std::move(result);
    const double left = std::max(0.0, limits_.wall_s - (clock_.seconds() - step_start_s_));
    if (waitForChange(header.reply, requests_ - 1, std::min(left, kHeartbeat), spin_ ? patience_ : none))
      continue;
    if (!zygote_alive_()) return gone(CallResult::Ending::kLost, "the zygote is gone");
  }
}

}  // namespace ordo::sandbox
