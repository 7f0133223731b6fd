// A fixed team of threads that do one piece of work together. They live as long as the team, because
// a session may own processes that die with the thread that drove it first.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ordo::search {

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

}  // namespace ordo::search
