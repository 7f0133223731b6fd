// Workers shared by the isolated sessions that live in them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <semaphore>
#include <vector>

#include "env/crash_ledger.h"
#include "env/isolated_session.h"
#include "env/wire.h"
#include "sandbox/worker.h"

namespace ordo::env {

// Whose turn it is in a worker. A mutex, but for this: a step may be begun by one thread and finished by
// another.
class TurnLock {
 public:
  void lock() { free_.acquire(); }
  bool try_lock() { return free_.try_acquire(); }
  void unlock() { free_.release(); }

 private:
  std::binary_semaphore free_{1};
};

// A worker and the numbers of the sessions in it. Its sessions take turns: hold `mutex` from finding
// that it takes work to having read its reply; it guards everything here.
struct SharedWorker {
  explicit SharedWorker(std::unique_ptr<sandbox::Worker> w) : worker(std::move(w)) {}

  TurnLock mutex;
  std::unique_ptr<sandbox::Worker> worker;
  std::uint64_t next_session = 1;
  int sessions = 0;       // open in it now
  bool retiring = false;  // takes no new work: dead, or grown too large
};

class WorkerPool : public std::enable_shared_from_this<WorkerPool> {
 public:
  WorkerPool(std::shared_ptr<sandbox::Zygote> zygote, sandbox::Limits limits,
             std::shared_ptr<CrashLedger> ledger);

  // An idle worker, or a new one.
  Result<std::shared_ptr<SharedWorker>> acquire();
  // Gives back a worker in which no session is open. As many as can work at once stay; the rest end, for each
  // keeps some 30 MB.
  void release(std::shared_ptr<SharedWorker> worker);

  // Sends the request written in `worker` and looks at how it ended. Marks the worker as retiring
  // if it died or outgrew its limit. kUnavailable if the request did not fit into shared memory and
  // was not sent. REQUIRES: worker.mutex is held.
  Result<sandbox::CallResult> call(SharedWorker& worker, const Writer& request);

  // The same in parts; see sandbox::Worker. REQUIRES: worker.mutex is held from one to the other.
  Status post(SharedWorker& worker, const Writer& request, bool spin);
  sandbox::CallResult finish(SharedWorker& worker);

  const sandbox::Bell& bell() const { return zygote_->bell(); }
  CrashLedger& ledger() { return *ledger_; }
  IsolationStats stats() const;
  void countRebuilt();
  void countMasked();

  // How many idle workers stay.
  static std::size_t mostIdle();

 private:
  std::shared_ptr<sandbox::Zygote> zygote_;  // outlives the workers
  sandbox::Limits limits_;
  std::shared_ptr<CrashLedger> ledger_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<SharedWorker>> idle_;
  IsolationStats stats_;
};

}  // namespace ordo::env
