#include "loopback/threads.h"

#include <system_error>
#include <utility>

namespace ordo::loopback {

void Threads::enqueue(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  if (waiting_.size() > idle_ && threads_.size() < most_) {
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
    }
  }
  more_.notify_one();
}

void Threads::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    more_.wait(lock, [&] { return !waiting_.empty() || ended_; });
    --idle_;
    if (waiting_.empty()) return;
    std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

void Threads::shutdown() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  more_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

std::size_t Threads::size() {
  const std::lock_guard lock(mutex_);
  return threads_.size();
}

}  // namespace ordo::loopback
