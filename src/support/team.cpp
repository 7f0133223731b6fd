#include "support/team.h"

#include "support/error.h"

namespace ordo {

Team::Team(unsigned size) {
  ORDO_CHECK(size > 0, "a team of nobody");
  for (unsigned member = 1; member < size; ++member) threads_.emplace_back([this, member] { serve(member); });
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  ready_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::run(const std::function<void(unsigned)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    busy_ = threads_.size();
    ++round_;
  }
  ready_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return busy_ == 0; });
}

void Team::serve(unsigned member) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    ready_.wait(lock, [&] { return closing_ || round_ != seen; });
    if (closing_) return;
    seen = round_;
    const auto* work = work_;
    lock.unlock();
    (*work)(member);
    lock.lock();
    if (--busy_ == 0) finished_.notify_one();
  }
}

}  // namespace ordo
