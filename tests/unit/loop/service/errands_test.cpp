#include "loop/service/errands.h"

#include <gtest/gtest.h>

#include <thread>

namespace ordo::loop {
namespace {

TEST(LoopErrandsTest, BeatsUntilTheWorkIsDone) {
  std::atomic<bool> interrupted = false;
  std::atomic<int> beats = 0, alive = 0;
  ThreadErrands errands(0.001, interrupted, [&] { ++alive; });
  const Errands::Done done = errands.run(
      [&] {
        while (beats < 3) std::this_thread::yield();
      },
      [&](double now_s) {
        EXPECT_GT(now_s, 1e9);
        ++beats;
        return true;
      });
  EXPECT_FALSE(done.broken_off);
  EXPECT_GT(done.now_s, 1e9);
  EXPECT_GE(alive, 3);
}

TEST(LoopErrandsTest, IsBrokenOffByItsBeatOrByAnInterrupt) {
  std::atomic<bool> interrupted = false;
  ThreadErrands errands(0.001, interrupted, [] {});
  const auto untilBrokenOff = [&] {
    while (!*errands.brokenOff()) std::this_thread::yield();
  };
  EXPECT_TRUE(errands.run(untilBrokenOff, [](double) { return false; }).broken_off);
  EXPECT_FALSE(errands.run([] {}, [](double) { return true; }).broken_off) << "the next begins anew";
  EXPECT_TRUE(errands
                  .run(
                      [&] {
                        interrupted = true;
                        untilBrokenOff();
                      },
                      [](double) { return true; })
                  .broken_off);
}

}  // namespace
}  // namespace ordo::loop
