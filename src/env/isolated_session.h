// Sessions of any backend in worker processes: what crashes, hangs or eats memory there costs one
// worker, and the session goes on in another.
//
// A session opened here has a worker of its own; its forks live beside it in that worker, because a
// copy there is cheaper than another process. When a worker dies, each session that lived in it is
// rebuilt when it is next used, by replaying its actions; all of them go to one other worker. What
// killed it is recorded in the crash ledger, and an action or a metric not tried in that state again.
// A worker that is killed or stopped from outside is replaced without a word, and so is the process that
// starts them; an action that workers are killed at time and again counts as deadly. A process that was
// forked from the one in which a session was opened may use its copy of it: that moves to a worker of its own
// there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "env/crash_ledger.h"
#include "env/session.h"
#include "sandbox/worker.h"

namespace ordo::env {

// Counts of one IsolatedBackend since it was made.
struct IsolationStats {
  std::int64_t workers_started = 0;
  std::int64_t workers_died = 0;      // crashed, out of time or out of memory
  std::int64_t workers_recycled = 0;  // replaced because of their resident memory
  std::int64_t sessions_rebuilt = 0;
  std::int64_t actions_masked = 0;  // refused because of the ledger
};

// Workers of one zygote, shared by sessions. Thread-safe. Internal to isolated_session.cpp but for
// its statistics.
class WorkerPool;

class IsolatedBackend final : public Backend {
 public:
  // `ledger` may be shared with other backends; null means one that forgets.
  IsolatedBackend(std::shared_ptr<sandbox::Zygote> zygote, sandbox::Limits limits,
                  std::shared_ptr<CrashLedger> ledger);
  ~IsolatedBackend() override;

  Result<BackendInfo> describe() override;
  Result<std::unique_ptr<Session>> open(SessionSpec spec) override;
  std::uint32_t activity() const override;
  void awaitActivity(std::uint32_t seen, double seconds, bool spin) override;

  IsolationStats stats() const;
  CrashLedger& ledger() const;

 private:
  std::shared_ptr<WorkerPool> pool_;
};

}  // namespace ordo::env
