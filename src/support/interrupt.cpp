#include "support/interrupt.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace ordo {
namespace {

constexpr int kExitCode = 130;
constexpr std::int64_t kSameRequestMs = 1000;

std::atomic<bool> g_interrupted{false};
std::atomic<std::int64_t> g_first_ms{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t nowMs() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void onSignal(int) {
  const std::int64_t now = nowMs();
  if (!g_interrupted.exchange(true))
    g_first_ms = now;
  else if (now - g_first_ms >= kSameRequestMs)
    ::_exit(kExitCode);
}

}  // namespace

const std::atomic<bool>& interrupted() {
  static const bool installed = [] {
    // Without SA_RESTART: a prompt that waits for a line is to notice.
    struct sigaction action{};
    action.sa_handler = onSignal;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    struct sigaction before{};
    ::sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
    return true;
  }();
  static_cast<void>(installed);
  return g_interrupted;
}

void forgetInterrupt() { g_interrupted = false; }

}  // namespace ordo
