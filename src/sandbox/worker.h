// Worker processes: forked from a zygote that has initialised everything expensive once, talking
// through a Channel, ended by limits, by a crash of their own or with their coordinator.
//
//   coordinator ── control socket ── zygote          (start: once)
//        └────────── Channel ─────── worker, worker  (forked by the zygote, one Channel each)
//
// Nothing outlives the coordinator, however it ends: the zygote leaves when its socket closes, and
// the kernel kills workers when the zygote is gone (PR_SET_PDEATHSIG).
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
    kLost,  // the worker is gone through no fault of the request: it never took it up, or the zygote is gone
  };
  Ending ending = Ending::kReplied;
  std::span<const std::byte> reply;  // in shared memory; valid until the next call
  std::uint32_t progress = 0;        // steps completed, also when it died
  std::string detail;                // how it died: "killed by signal 11 (Segmentation fault)"

  bool replied() const { return ending == Ending::kReplied; }
};

// A worker process as its coordinator sees it. Killed by the destructor. One thread at a time.
class Worker {
 public:
  Worker(Channel channel, int pidfd, int pid, Limits limits, std::function<bool()> zygote_alive);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  // Where the next request is written. REQUIRES: alive().
  std::span<std::byte> request() const { return channel_.payload(); }

  // Sends the first `bytes` of request() and waits for the reply, the end of the worker or the
  // watchdog (limits().wall_s without a step), which kills it. After any ending but kReplied it is
  // not alive(). What the worker left in shared memory is not trusted.
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

  // Asks the kernel, not the zygote: a death counts from the moment it happens.
  bool alive() const;
  int pid() const { return pid_; }
  std::uint64_t rssBytes() const { return channel_.header().rss_bytes.load(); }
  const Limits& limits() const { return limits_; }

 private:
  void kill();
  // Makes sure that the worker is gone and says how it came to that.
  CallResult gone(CallResult::Ending ending, std::string detail);
  CallResult died();
  // The result, if there is one by now. Restarts the watchdog at each step of progress.
  std::optional<CallResult> poll();

  Channel channel_;
  int pidfd_;
  int pid_;
  Limits limits_;
  std::function<bool()> zygote_alive_;
  std::uint32_t requests_ = 0;
  std::uint32_t progress_ = 0;  // seen of the call under way
  double step_start_s_ = 0;
  SteadyClock clock_;
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
  // Forks this process instead of starting a program: for tests, before any thread exists.
  static Result<std::unique_ptr<Zygote>> forkHere(const ServiceFactory& factory);

  ~Zygote();

  // A new worker, under 5 ms. kUnavailable if the zygote is gone or the system refuses. The zygote
  // must outlive the worker.
  Result<std::unique_ptr<Worker>> spawn(const Limits& limits);

  bool alive() const;
  int pid() const { return pid_; }

  // Rung whenever one of its workers has replied or ended.
  const Bell& bell() const { return bell_; }

 private:
  Zygote(int control, int pid, Bell bell) : control_(control), pid_(pid), bell_(std::move(bell)) {}

  // Hands the bell over and takes charge of the process.
  static Result<std::unique_ptr<Zygote>> greet(int control, int pid);

  mutable std::mutex mutex_;
  int control_;
  int pid_;
  Bell bell_;
};

// The zygote's main: forks a worker for each request on the socket and reports their deaths, until
// the coordinator is gone. REQUIRES: the process has one thread.
[[noreturn]] void zygoteMain(int control_fd, const ServiceFactory& factory);

// Inside a worker: leaves a message for the coordinator before dying. Async-signal-safe. Does
// nothing in other processes.
void lastWords(std::string_view message);

// Inside a worker: says that the coming death is for lack of memory. Async-signal-safe.
void noteOutOfMemory();

}  // namespace ordo::sandbox
