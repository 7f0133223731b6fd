// The threads of a server: one is made when a connection comes and all are busy, so that who is slow keeps a
// thread and nobody waiting. httplib's own queue has a fixed few, which as many slow connections hold up.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ordo::loopback {

// More than a browser opens in all (Chromium: 256 sockets, 6 to a host), and fewer than the files that a
// process may have open.
inline constexpr std::size_t kMostThreads = 320;

class Threads final : public httplib::TaskQueue {
 public:
  // REQUIRES: at least one.
  explicit Threads(std::size_t most = kMostThreads) : most_(most) {}

  // Thread-safe. Work waits where all `most` are busy, or the system gives no thread and there is one
  // already.
  void enqueue(std::function<void()> work) override;
  // Waits until all work is done. Nothing may be enqueued afterwards.
  void shutdown() override;

  // How many there are, of which some may be idle.
  std::size_t size();

 private:
  void run();

  const std::size_t most_;
  std::mutex mutex_;  // guards all below
  std::condition_variable more_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ordo::loopback
