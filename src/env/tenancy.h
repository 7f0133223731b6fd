// Where an isolated session lives: its place in a worker, taken when it is first needed, left when the
// worker is gone and taken again elsewhere by replaying the session's actions.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include "env/session.h"
#include "env/wire.h"
#include "env/worker_pool.h"
#include "sandbox/worker.h"

namespace ordo::env {

// The answer to one request: the worker's reply, or how it died instead.
struct Answer {
  sandbox::CallResult call;
  Reader reader{call.reply};

  explicit Answer(sandbox::CallResult result) : call(std::move(result)) {}
  bool died() const { return !call.replied(); }
  bool lost() const { return call.ending == sandbox::CallResult::Ending::kLost; }
  bool worthAnother() const { return call.worthAnother(); }
  Error death(std::string_view doing) const;
};

// How what a worker was asked for ended, where the death is the request's own doing.
StepStatus statusOf(sandbox::CallResult::Ending ending);

// Where a session and its forks live. They move together: one worker that dies is replaced by one,
// however many they are.
struct Home {
  std::mutex mutex;                      // taken before that of a worker, never after
  std::shared_ptr<SharedWorker> worker;  // where the next of them goes; null if none is open
};

// One thread at a time, like its session; different tenancies may share a worker. In a process that was
// forked from the one in which its worker was started, it moves to a worker of that process.
class Tenancy {
 public:
  // The worker's memory is ours while this lives.
  using Turn = std::unique_lock<TurnLock>;

  // A request that was answered.
  struct Exchange {
    Turn turn;
    Answer answer;
  };

  // `history` is read when the session is rebuilt; it belongs to the session, which outlives this.
  Tenancy(std::shared_ptr<WorkerPool> pool, std::shared_ptr<const SessionSpec> spec,
          std::shared_ptr<Home> home, const std::vector<ActionIndex>& history)
      : pool_(std::move(pool)), spec_(std::move(spec)), home_(std::move(home)), history_(history) {}
  Tenancy(const Tenancy&) = delete;
  Tenancy& operator=(const Tenancy&) = delete;
  ~Tenancy() { leave(); }

  WorkerPool& pool() const { return *pool_; }
  // What a fork is made with.
  const std::shared_ptr<WorkerPool>& sharedPool() const { return pool_; }
  const std::shared_ptr<Home>& home() const { return home_; }
  // Whether others live in the same worker, so that a reply is only ours during our turn.
  bool shared() const { return worker_ != nullptr && worker_->sessions > 1; }

  // Waits for the session's turn in its worker, and puts it into one first if it is in none or in
  // one that takes no more work.
  Result<Turn> turn();

  // Sends a request and waits for its answer; again if the worker was killed or lost meanwhile. A request
  // that a worker was killed at each time is to blame for it.
  template <typename Arguments>
  Result<Exchange> ask(Op op, const Arguments& arguments) {
    for (int tries = 1;; ++tries) {
      ORDO_TRY_ASSIGN(Turn mine, turn());
      ORDO_TRY_ASSIGN(Answer answer, send(op, arguments));
      if (!answer.worthAnother() || tries == kTries) return Exchange{std::move(mine), std::move(answer)};
    }
  }
  Result<Exchange> ask(Op op) {
    return ask(op, [](Writer&) {});
  }

  // The same in parts: post() takes the turn and keeps it until finish(). See sandbox::Worker.
  template <typename Arguments>
  Status post(Op op, bool spin, const Arguments& arguments) {
    ORDO_TRY_ASSIGN(Turn mine, turn());
    const Writer request = write(op, arguments);
    ORDO_TRY(pool_->post(*worker_, request, spin));
    posted_ = std::move(mine);
    return {};
  }
  bool answered() { return worker_->worker->answered(); }
  // REQUIRES: post() succeeded.
  Exchange finish() { return {std::move(posted_), Answer(pool_->finish(*worker_))}; }

  // Makes `copy` live beside this one, as session `number` of the same worker. REQUIRES: our turn.
  void settle(Tenancy& copy, std::uint64_t number);
  // A number for a new session in this worker. REQUIRES: our turn.
  std::uint64_t nextNumber() { return worker_->next_session++; }

  // A worker that makes no sense has had its memory overwritten, so nothing more is asked of it.
  // REQUIRES: our turn.
  tl::unexpected<Error> nonsense();

 private:
  // Whoever kills workers at random does not hit so often in a row.
  static constexpr int kTries = 4;

  Result<Turn> enter();
  void leave();
  Result<Answer> build();

  template <typename Arguments>
  Writer write(Op op, const Arguments& arguments) {
    Writer out(worker_->worker->request());
    out.put(op);
    out.put(number_);
    arguments(out);
    return out;
  }
  // REQUIRES: our turn.
  template <typename Arguments>
  Result<Answer> send(Op op, const Arguments& arguments) {
    ORDO_TRY_ASSIGN(sandbox::CallResult result, pool_->call(*worker_, write(op, arguments)));
    return Answer(std::move(result));
  }

  std::shared_ptr<WorkerPool> pool_;
  std::shared_ptr<const SessionSpec> spec_;
  std::shared_ptr<Home> home_;
  const std::vector<ActionIndex>& history_;
  std::shared_ptr<SharedWorker> worker_;
  std::uint64_t number_ = 0;
  Turn posted_;
};

}  // namespace ordo::env
