// Worker processes: forked from a zygote that has initialised everything expensive once, talking
// through a Channel, ended by limits, by a crash of their own or with their coordinator.
//
//   coordinator ── control socket ── zygote          (start: once)
//        └────────── Channel ─────── worker, worker  (forked by the zygote, one Channel each)
//
// Nothing outlives the coordinator, however it ends: the zygote leaves when its socket closes or its
// coordinator has ended, and the kernel kills workers when the zygote is gone (PR_SET_PDEATHSIG).
//
// The zygote is no single point of failure: one that was killed, or stopped for good, is started anew by the
// next spawn(). Neither is it inherited: a process that was forked from its coordinator can do nothing to it
// or to its workers, which look dead from there, and spawn() starts one of its own.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sandbox/channel.h"
#include "sandbox/limits.h"
#include "support/clock.h"
#include "support/error.h"

namespace ordo::sandbox {

// How a call to a worker ended.
struct CallResult {
  enum class Ending {
    kReplied,
    kDied,
    kTimedOut,
    kOutOfMemory,
    kKilled,  // by SIGKILL, when it had so much memory that the system may have done it for want of some,
              // which may be the request's doing
    kLost,    // the worker is gone through no fault of the request: it never took it up, somebody killed it,
              // asked it to leave or stopped it, the zygote is gone, or it is another process's
  };
  Ending ending = Ending::kReplied;
  std::span<const std::byte> reply;  // in shared memory; valid until the next call
  std::uint32_t progress = 0;        // steps completed, also when it died
  std::string detail;                // how it died: "killed by signal 11 (Segmentation fault)"
  // kTimedOut although it computed for less than half of that time: a busy machine may be to blame.
  bool starved = false;

  bool replied() const { return ending == Ending::kReplied; }
  // It may be asked again: what happened came, or may have come, from outside.
  bool worthAnother() const { return ending == Ending::kKilled || ending == Ending::kLost; }
};

// A worker process as its coordinator sees it. Killed by the destructor. One thread at a time. It belongs to
// the process that made it: in one that was forked from that it is not alive(), calls are lost, and the
// destructor leaves it alone.
class Worker {
 public:
  Worker(Channel channel, int pidfd, int pid, Limits limits);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // Where the next request is written. REQUIRES: alive().
  std::span<std::byte> request() const { return channel_.payload(); }

  // Sends the first `bytes` of request() and waits for the reply, the end of the worker or the
  // watchdog (limits().wall_s without a step, or stopped by a signal for a while), which kills it. After any
  // ending but kReplied it is not alive(). What the worker left in shared memory is not trusted. Time in
  // which nobody looks, because this process itself was stopped, does not count.
  CallResult call(std::size_t bytes);

  // The same in parts, so that one thread can keep many workers busy: post() sends, answered() says
  // without waiting whether finish() would return at once (also because the worker ended or ran out
  // of time), and finish() is the rest of call(). Nothing else is allowed in between. With `spin`
  // false, or limits.spin, neither side keeps a processor waiting.
  void post(std::size_t bytes, bool spin);
  bool answered();
  CallResult finish();

  // Gives memory that requests and replies past the first `keep` bytes took back to the system.
  // Ends the validity of the latest reply.
  void trim(std::size_t keep) { channel_.trim(keep); }

  // Asks the kernel, not the zygote: a death counts from the moment it happens. False where it is not ours.
  bool alive() const;
  int pid() const { return pid_; }
  std::uint64_t rssBytes() const { return channel_.header().rss_bytes.load(); }
  const Limits& limits() const { return limits_; }

 private:
  bool isOurs() const;
  void kill();
  // Looks after the call under way: counts its time, and now and then asks the kernel how the worker is.
  void look();
  // Makes sure that the worker is gone and says how it came to that.
  CallResult gone(CallResult::Ending ending, std::string detail);
  CallResult died();
  // The result, if there is one by now.
  std::optional<CallResult> poll();

  Channel channel_;
  int pidfd_;
  int pid_;
  const int owner_;  // the process it belongs to
  Limits limits_;
  SteadyClock clock_;
  std::uint32_t requests_ = 0;
  // Of the call under way:
  std::uint32_t progress_ = 0;  // seen
  double looked_s_ = 0;         // when it was looked after last
  double step_s_ = 0;           // time since the last progress
  double until_asked_s_ = 0;    // until the kernel is asked again
  double sampled_s_ = 0;        // step_s_ when the processor time of this step was sampled first; 0: not yet
  double sampled_cpu_s_ = 0;    // that time
  double ended_s_ = 0;          // for so long it has been known to have ended, without a report
  double stopped_s_ = 0;        // and to be stopped
  Patience patience_;
  bool spin_ = true;  // in the call under way
  bool alive_ = true;
};

// What runs inside a worker. `request` and `reply` are the same memory: read before writing.
// Call `step()` after each completed step of a request that has several; it is what progress counts
// and what the limits on time start anew from.
class Service {
 public:
  virtual ~Service() = default;
  // Returns the size of the reply.
  virtual std::size_t serve(std::span<const std::byte> request, std::span<std::byte> reply,
                            const std::function<void()>& step) = 0;
};

using ServiceFactory = std::function<std::unique_ptr<Service>()>;

// The coordinator's end of a zygote. Thread-safe.
class Zygote {
 public:
  // Starts `program` with `--control-fd N` appended; it must call zygoteMain().
  static Result<std::unique_ptr<Zygote>> start(const std::vector<std::string>& program);
  // Forks this process instead of starting a program: for tests, before any thread exists. It is not started
  // anew.
  static Result<std::unique_ptr<Zygote>> forkHere(const ServiceFactory& factory);

  Zygote(const Zygote&) = delete;
  Zygote& operator=(const Zygote&) = delete;
  // Ends it, if it is ours.
  ~Zygote();

  // A new worker, under 5 ms. If the zygote is gone, or stopped and does not answer, or belongs to a process
  // that this one was forked from, another is started first. kUnavailable if that fails too, or if the system
  // refuses.
  Result<std::unique_ptr<Worker>> spawn(const Limits& limits);

  bool alive() const;
  // Of the one that runs now.
  int pid() const;
  // Processor time of those that it has replaced, and of what they waited for, in seconds.
  double replacedCpuSeconds() const;

  // Rung whenever one of its workers has replied or ended.
  const Bell& bell() const { return bell_; }

 private:
  // A process, and the socket to it.
  struct Helper {
    int control = -1, pid = -1, pidfd = -1;
  };

  Zygote(std::vector<std::string> program, Bell::Created bell);

  static Result<Helper> launch(const std::vector<std::string>& program);
  // Takes charge of a process and hands the bell over.
  Status adopt(const Helper& helper);
  // All that follow REQUIRE: mutex_ is held.
  bool isOurs() const;
  bool running() const;
  // Ends the process, if it is ours, and lets go of it.
  void bury();
  // Makes sure that there is one, ours.
  Status ensure();
  // Waits until it has something to say; false if it is not going to.
  bool answers();

  mutable std::mutex mutex_;
  const std::vector<std::string> program_;  // empty: forked from this one
  Helper helper_;
  int owner_ = -1;      // the process that started it
  std::string ending_;  // how the last one ended
  double replaced_cpu_s_ = 0;
  Bell bell_;
  int bell_fd_;  // for the next one
};

// The zygote's main: forks a worker for each request on the socket and reports their deaths, until
// the coordinator is gone. It and its workers ignore SIGINT, SIGTERM and SIGHUP. REQUIRES: the process has
// one thread.
[[noreturn]] void zygoteMain(int control_fd, const ServiceFactory& factory);

// Inside a worker: leaves a message for the coordinator before dying. Async-signal-safe. Does
// nothing in other processes.
void lastWords(std::string_view message);

// Inside a worker: says that the coming death is for lack of memory. Async-signal-safe.
void noteOutOfMemory();

}  // namespace ordo::sandbox
