#include "env/worker_pool.h"

#include <algorithm>
#include <thread>

namespace ordo::env {
namespace {

// What an idle worker keeps of its mailbox: more than any request but a large program.
constexpr std::size_t kIdlePayload = std::size_t{1} << 20;

}  // namespace

WorkerPool::WorkerPool(std::shared_ptr<sandbox::Zygote> zygote, sandbox::Limits limits,
                       std::shared_ptr<CrashLedger> ledger)
    : zygote_(std::move(zygote)),
      limits_(limits),
      ledger_(ledger != nullptr ? std::move(ledger) : std::make_shared<CrashLedger>()) {}

Result<std::shared_ptr<SharedWorker>> WorkerPool::acquire() {
  {
    const std::lock_guard lock(mutex_);
    while (!idle_.empty()) {
      std::shared_ptr<SharedWorker> worker = std::move(idle_.back());
      idle_.pop_back();
      if (worker->worker->alive()) return worker;
    }
  }
  ORDO_TRY_ASSIGN(std::unique_ptr<sandbox::Worker> worker, zygote_->spawn(limits_));
  const std::lock_guard lock(mutex_);
  ++stats_.workers_started;
  return std::make_shared<SharedWorker>(std::move(worker));
}

void WorkerPool::release(std::shared_ptr<SharedWorker> worker) {
  if (worker->retiring || !worker->worker->alive()) return;
  worker->worker->trim(kIdlePayload);
  const std::lock_guard lock(mutex_);
  if (idle_.size() < mostIdle()) idle_.push_back(std::move(worker));
}

std::size_t WorkerPool::mostIdle() { return std::max(2u, std::thread::hardware_concurrency()); }

Result<sandbox::CallResult> WorkerPool::call(SharedWorker& worker, const Writer& request) {
  ORDO_TRY(post(worker, request, true));
  return finish(worker);
}

Status WorkerPool::post(SharedWorker& worker, const Writer& request, bool spin) {
  if (!request.ok()) {
    return fail(ErrorCode::kUnavailable, "a request is larger than the shared memory of a worker ({} MiB)",
                worker.worker->request().size() >> 20);
  }
  worker.worker->post(request.size(), spin);
  return {};
}

sandbox::CallResult WorkerPool::finish(SharedWorker& worker) {
  sandbox::CallResult result = worker.worker->finish();
  const bool grown = worker.worker->rssBytes() > limits_.recycle_rss_bytes;
  if (!worker.retiring && (grown || !result.replied())) {
    worker.retiring = true;
    const std::lock_guard lock(mutex_);
    ++(result.replied() ? stats_.workers_recycled : stats_.workers_died);
  }
  return result;
}

IsolationStats WorkerPool::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void WorkerPool::countRebuilt() {
  const std::lock_guard lock(mutex_);
  ++stats_.sessions_rebuilt;
}

void WorkerPool::countMasked() {
  const std::lock_guard lock(mutex_);
  ++stats_.actions_masked;
}

}  // namespace ordo::env
