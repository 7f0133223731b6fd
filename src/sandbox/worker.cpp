// The coordinator's side of a call; the zygote's is in zygote.cpp and zygote_main.cpp. For a worker that is
// ours poll() says how a call ended by what it finds first: a reply, a death that the zygote reported (died()
// tells whose fault it was), a mailbox that makes no sense, and then what look() counted: an end without a
// report, a stopped process, too long a time without a step. Of the time between two looks only so much
// counts, so that a worker does not pay for the time in which this process itself was stopped.
#include "sandbox/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "support/usage.h"

namespace ordo::sandbox {
namespace {

// How often a long call asks the kernel how the worker is.
constexpr double kHeartbeat = 0.25;
// The most that counts between two looks: who does not look was stopped, or had other things to do.
constexpr double kLook = 2 * kHeartbeat;
// The zygote reports a death in less than a millisecond, unless it is gone or stopped itself.
constexpr double kReportTime = 2 * kHeartbeat;
// Who computes for less than that share of its time waits, for a processor or for nothing.
constexpr double kComputes = 0.5;
// Who is stopped for so long, while we run, is not meant to go on.
constexpr double kStopped = 2;
// The system kills for want of memory whoever has much of it. A worker that never had more than this part of
// what it may have was killed by somebody, or for what others took.
constexpr std::size_t kSmall = 4;

std::string describe(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

}  // namespace

Worker::Worker(Channel channel, int pidfd, int pid, Limits limits)
    : channel_(std::move(channel)), pidfd_(pidfd), pid_(pid), owner_(::getpid()), limits_(limits) {}

Worker::~Worker() {
  kill();
  ::close(pidfd_);
}

bool Worker::isOurs() const { return owner_ == ::getpid(); }

bool Worker::alive() const {
  pollfd event{pidfd_, POLLIN, 0};  // readable once the process has ended
  return alive_ && isOurs() && ::poll(&event, 1, 0) == 0;
}

void Worker::kill() {
  alive_ = false;
  if (!isOurs()) return;
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
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGKILL && ending == CallResult::Ending::kDied) {
    const bool large = header.peak_bytes.load() > limits_.memory_bytes / kSmall;
    ending = large ? CallResult::Ending::kKilled : CallResult::Ending::kLost;
  }
  if (header.taken.load() != requests_ || signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
    ending = CallResult::Ending::kLost;
  return gone(ending, std::move(detail));
}

CallResult Worker::call(std::size_t bytes) {
  post(bytes, true);
  return finish();
}

void Worker::post(std::size_t bytes, bool spin) {
  ORDO_CHECK(bytes <= channel_.payload().size(), "a request of {} bytes", bytes);
  ChannelHeader& header = channel_.header();
  progress_ = 0;
  looked_s_ = clock_.seconds();
  step_s_ = sampled_s_ = ended_s_ = stopped_s_ = 0;
  until_asked_s_ = kHeartbeat;
  ++requests_;
  spin_ = spin && limits_.spin;
  if (!isOurs()) return;
  header.progress.store(0);
  if (!alive_) return;
  header.spin.store(spin_ ? 1 : 0, std::memory_order_relaxed);
  header.request_bytes.store(static_cast<std::uint32_t>(bytes));
  header.request.store(requests_, std::memory_order_release);
  wake(header.request);
}

void Worker::look() {
  const double now = clock_.seconds();
  const double passed = std::min(now - looked_s_, kLook);
  looked_s_ = now;
  step_s_ += passed;
  if (const std::uint32_t seen = channel_.header().progress.load(); seen != progress_) {
    progress_ = seen;
    step_s_ = sampled_s_ = 0;
  }
  until_asked_s_ -= passed;
  if (until_asked_s_ > 0) return;
  until_asked_s_ = kHeartbeat;
  const bool ended = !alive();
  ended_s_ = ended ? ended_s_ + kHeartbeat : 0;
  if (!ended && sampled_s_ == 0) {
    sampled_s_ = step_s_;
    sampled_cpu_s_ = familyUsage(pid_).cpu_s;
  }
  stopped_s_ = !ended && isStopped(pid_) ? stopped_s_ + kHeartbeat : 0;
}

std::optional<CallResult> Worker::poll() {
  using Ending = CallResult::Ending;
  if (!alive_) return gone(Ending::kLost, "ended before");
  if (!isOurs()) return gone(Ending::kLost, "belongs to the process that this one was forked from");
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
  look();
  if (ended_s_ > kReportTime) return gone(Ending::kLost, "ended with the helper process that had started it");
  if (stopped_s_ >= kStopped) return gone(Ending::kLost, "was stopped by a signal");
  if (step_s_ >= limits_.wall_s) {
    const bool taken = header.taken.load() == requests_;
    const double cpu_s = familyUsage(pid_).cpu_s;
    CallResult late = gone(taken ? Ending::kTimedOut : Ending::kLost,
                           fmt::format("ran past {:g} s and was stopped", limits_.wall_s));
    late.starved = sampled_s_ > 0 && cpu_s - sampled_cpu_s_ < kComputes * (step_s_ - sampled_s_);
    return late;
  }
  return std::nullopt;
}

bool Worker::answered() {
  const ChannelHeader& header = channel_.header();
  if (!alive_ || header.reply.load(std::memory_order_acquire) != requests_ - 1 || header.ended.load() != 0)
    return true;
  look();
  return step_s_ >= limits_.wall_s || ended_s_ > kReportTime || stopped_s_ >= kStopped;
}

CallResult Worker::finish() {
  const ChannelHeader& header = channel_.header();
  Patience none = Patience::none();
  for (;;) {
    if (std::optional<CallResult> result = poll()) return *std::move(result);
    const double left = std::max(0.0, limits_.wall_s - step_s_);
    waitForChange(header.reply, requests_ - 1, std::min(left, kHeartbeat), spin_ ? patience_ : none);
  }
}

}  // namespace ordo::sandbox
