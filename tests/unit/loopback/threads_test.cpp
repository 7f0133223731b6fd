#include "loopback/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>

namespace ordo::loopback {
namespace {

TEST(ThreadsTest, WhoIsSlowKeepsNobodyWaiting) {
  Threads threads(50);
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  for (int i = 0; i < 40; ++i) threads.enqueue([ended] { ended.wait(); });
  std::promise<void> done;
  threads.enqueue([&] { done.set_value(); });
  done.get_future().wait();  // which it would for ever if it were not done beside them
  EXPECT_EQ(threads.size(), 41u);
  end.set_value();
  threads.shutdown();
}

TEST(ThreadsTest, ThoseThatAreIdleAreUsedAgain) {
  Threads threads(200);
  for (int i = 0; i < 100; ++i) {
    std::latch done(1);
    threads.enqueue([&] { done.count_down(); });
    done.wait();
  }
  EXPECT_LT(threads.size(), 100u);
  threads.shutdown();
}

TEST(ThreadsTest, ThereAreNoMoreThanItMayHaveAndAllWorkIsDone) {
  Threads threads(3);
  std::atomic<int> done{0};
  for (int i = 0; i < 500; ++i) threads.enqueue([&] { ++done; });
  EXPECT_LE(threads.size(), 3u);
  threads.shutdown();
  EXPECT_EQ(done, 500);
}

}  // namespace
}  // namespace ordo::loopback
