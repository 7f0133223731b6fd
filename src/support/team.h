// A fixed team of threads that do one piece of work together. They live as long as the team, because
// a session may own processes that die with the thread that drove it first.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ordo {

class Team {
 public:
  // REQUIRES: size > 0. A team of one has no threads of its own.
  explicit Team(unsigned size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  // Runs work(0) here and work(1) to work(size - 1) beside it; returns when all have. One caller at a time.
  void run(const std::function<void(unsigned member)>& work);

 private:
  void serve(unsigned member);

  std::mutex mutex_;
  std::condition_variable ready_, finished_;
  const std::function<void(unsigned)>* work_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t busy_ = 0;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

// A team for so many pieces of work, of at most `jobs` members: one at least.
inline unsigned teamSize(unsigned jobs, std::size_t pieces) {
  return static_cast<unsigned>(std::max<std::size_t>(1, std::min<std::size_t>(jobs, pieces)));
}

}  // namespace ordo
