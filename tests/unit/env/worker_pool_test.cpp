#include "env/worker_pool.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "tests/unit/env/toy_worker.h"

namespace ordo::env {
namespace {

using sandbox::CallResult;

class WorkerPoolTest : public testing::Test {
 protected:
  std::shared_ptr<WorkerPool> makePool(sandbox::Limits limits = toyLimits()) {
    return std::make_shared<WorkerPool>(zygote_, limits, nullptr);
  }

  CallResult describe(WorkerPool& pool, SharedWorker& worker) {
    const std::lock_guard lock(worker.mutex);
    Writer request(worker.worker->request());
    request.put(Op::kDescribe);
    return value(pool.call(worker, request));
  }

  std::shared_ptr<sandbox::Zygote> zygote_ = startToyZygote();
};

TEST_F(WorkerPoolTest, AWorkerGivenBackIsUsedAgain) {
  const auto pool = makePool();
  const int first = [&] {
    auto worker = value(pool->acquire());
    const int pid = worker->worker->pid();
    pool->release(std::move(worker));
    return pid;
  }();
  EXPECT_EQ(value(pool->acquire())->worker->pid(), first);
  EXPECT_EQ(pool->stats().workers_started, 1);
}

TEST_F(WorkerPoolTest, OfManyThatAreGivenBackFewStay) {
  const auto pool = makePool();
  std::vector<std::shared_ptr<SharedWorker>> workers;
  for (std::size_t i = 0; i < WorkerPool::mostIdle() + 3; ++i) workers.push_back(value(pool->acquire()));
  for (std::shared_ptr<SharedWorker>& worker : workers) pool->release(std::move(worker));
  EXPECT_TRUE(
      sandbox::becomesTrue([&] { return childrenOf(zygote_->pid()).size() == WorkerPool::mostIdle(); }));
  for (std::size_t i = 0; i < WorkerPool::mostIdle(); ++i) workers[i] = value(pool->acquire());
  EXPECT_EQ(pool->stats().workers_started, static_cast<std::int64_t>(WorkerPool::mostIdle() + 3));
}

TEST_F(WorkerPoolTest, WorkersInUseAreNotSharedOut) {
  const auto pool = makePool();
  const auto one = value(pool->acquire());
  const auto two = value(pool->acquire());
  EXPECT_NE(one->worker->pid(), two->worker->pid());
  EXPECT_EQ(pool->stats().workers_started, 2);
}

TEST_F(WorkerPoolTest, AWorkerThatDiedIdleIsNotHandedOut) {
  const auto pool = makePool();
  auto worker = value(pool->acquire());
  const int pid = worker->worker->pid();
  ::kill(pid, SIGKILL);
  EXPECT_FALSE(describe(*pool, *worker).replied());
  EXPECT_TRUE(worker->retiring);
  pool->release(std::move(worker));
  EXPECT_NE(value(pool->acquire())->worker->pid(), pid);
  EXPECT_EQ(pool->stats().workers_died, 1);
}

TEST_F(WorkerPoolTest, ARequestThatDoesNotFitIsAnErrorAndLeavesTheWorkerBe) {
  const auto pool = makePool();
  const auto worker = value(pool->acquire());
  {
    const std::lock_guard lock(worker->mutex);
    Writer request(worker->worker->request().first(4));
    request.put(std::uint64_t{1});
    const auto result = pool->call(*worker, request);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  }
  EXPECT_FALSE(worker->retiring);
  EXPECT_TRUE(describe(*pool, *worker).replied());
}

TEST_F(WorkerPoolTest, AWorkerThatGrewTooLargeRetires) {
  sandbox::Limits limits = toyLimits();
  limits.recycle_rss_bytes = 1;
  const auto pool = makePool(limits);
  const auto worker = value(pool->acquire());
  // Memory is looked at after every 5 ms of processor time, so it takes some calls.
  for (int i = 0; i < 100000 && !worker->retiring; ++i) ASSERT_TRUE(describe(*pool, *worker).replied());
  EXPECT_TRUE(worker->retiring);
  EXPECT_EQ(pool->stats().workers_recycled, 1);
  EXPECT_EQ(pool->stats().workers_died, 0);
}

TEST_F(WorkerPoolTest, ThreadsTakeAndGiveAtOnce) {
  const auto pool = makePool();
  std::vector<std::thread> threads;
  // As many as are kept idle everywhere: of more, some would be ended and started anew.
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        auto worker = value(pool->acquire());
        EXPECT_TRUE(describe(*pool, *worker).replied());
        pool->release(std::move(worker));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(pool->stats().workers_started, 2);
}

TEST_F(WorkerPoolTest, IdleWorkersThatEndedWithTheirZygoteAreReplaced) {
  const auto pool = makePool();
  pool->release(value(pool->acquire()));
  for (const int pid : childrenOf(zygote_->pid())) {
    ::kill(zygote_->pid(), SIGKILL);
    EXPECT_TRUE(ends(pid));
  }
  const auto worker = value(pool->acquire());
  EXPECT_TRUE(describe(*pool, *worker).replied());
  EXPECT_EQ(pool->stats().workers_started, 2);
}

TEST_F(WorkerPoolTest, WithoutALedgerItHasOneThatForgets) { EXPECT_TRUE(makePool()->ledger().empty()); }

}  // namespace
}  // namespace ordo::env
