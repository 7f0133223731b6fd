#include "sandbox/worker.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "support/clock.h"

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
    : channel_(std::move(channel)), pidfd_(pidfd), pid_(pid), limits_(limits), zygote_alive_(std::move(zygote_alive)) {}

Worker::~Worker() {
  kill();
  ::close(pidfd_);
}

void Worker::kill() {
  alive_ = false;
  ::syscall(SYS_pidfd_send_signal, pidfd_, SIGKILL, nullptr, 0);
}

CallResult Worker::ended(CallResult::Ending ending) {
  const ChannelHeader& header = channel_.header();
  CallResult result;
  result.ending = ending;
  result.progress = header.progress.load();
  kill();
  if (ending == CallResult::Ending::kTimedOut) {
    result.detail = fmt::format("ran past {:g} s and was stopped", limits_.wall_s);
    return result;
  }
  const int status = header.wait_status.load();
  result.detail = describe(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    result.ending = CallResult::Ending::kTimedOut;
    result.detail = fmt::format("used more than {:g} s of processor time", limits_.cpu_s);
  } else if (header.out_of_memory.load() != 0) {
    result.ending = CallResult::Ending::kOutOfMemory;
    result.detail = fmt::format("needed more than {} MiB", limits_.memory_bytes >> 20);
  }
  if (header.last_words[0] != '\0') {
    result.detail += fmt::format(": {}", std::string_view(header.last_words, ::strnlen(header.last_words, sizeof header.last_words)));
  }
  return result;
}

CallResult Worker::call(std::size_t bytes) {
  ORDO_CHECK(bytes <= channel_.payload().size(), "a request of {} bytes", bytes);
  ChannelHeader& header = channel_.header();
  if (!alive()) return ended(CallResult::Ending::kDied);
  const std::uint32_t number = ++requests_;
  header.progress.store(0);
  header.request_bytes.store(static_cast<std::uint32_t>(bytes));
  header.request.store(number, std::memory_order_release);
  wake(header.request);

  const SteadyClock clock;
  const double start = clock.seconds();
  // The reply word is woken by the worker with its reply and by the zygote with its death.
  while (header.reply.load(std::memory_order_acquire) != number) {
    if (header.ended.load() != 0) return ended(CallResult::Ending::kDied);
    const double left = limits_.wall_s - (clock.seconds() - start);
    if (left <= 0) return ended(CallResult::Ending::kTimedOut);
    if (waitForChange(header.reply, number - 1, std::min(left, kHeartbeat))) continue;
    if (!zygote_alive_()) {
      CallResult result = ended(CallResult::Ending::kDied);
      result.detail = "the zygote is gone";
      return result;
    }
  }
  const std::uint32_t size = header.reply_bytes.load();
  ORDO_CHECK(size <= channel_.payload().size(), "a reply of {} bytes", size);
  return {CallResult::Ending::kReplied, channel_.payload().first(size), header.progress.load(), {}};
}

}  // namespace ordo::sandbox
