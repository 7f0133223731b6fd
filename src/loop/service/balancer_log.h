// How long requests took, by the log that the balancer writes: HAProxy's, of a line for each request that
// names the server, the time and the status (docs/formats/loop.md). It is followed as `tail -F` does. Nothing
// in it is believed to be ours but whole lines of that form, wherever other lines come from.
//
// What may have been lost is no evidence: after a file that was cut, or that changed more than it should, the
// counters of all pools begin anew at once, which makes a gap of the window and harm of nobody. While no line
// comes there is no news, so that a log that has died looks as a dead Prometheus does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "loop/controller/world.h"
#include "loop/service/balancer.h"
#include "loop/service/haproxy.h"
#include "support/child.h"

namespace ordo::loop {

// A request, as a line of the log tells it.
struct LoggedRequest {
  enum class End : std::uint8_t { kAnswered, kFailed, kLeft };
  Pool pool = Pool::kProduction;
  double seconds = 0;
  int status = 0;  // of HTTP; -1 if nobody answered
  // By HAProxy's termination state: the server refused, broke off, said nothing in time or nonsense; or the
  // client left. How long those took says nothing of the server: one that refuses is quick. That they were
  // is counted by the balancer, as answers of 500 and more are.
  End end = End::kAnswered;
};

// "ordo BACKEND/SERVER us=MICROSECONDS STATUS STATE", or with "ms=MILLISECONDS", alone or behind the header
// of syslog; STATE is HAProxy's termination state, and may be absent. Nothing for whatever else, and without
// a state for requests that nobody answered.
std::optional<LoggedRequest> readLogLine(std::string_view line, const HaproxyOptions& names);

// The lines of a file that others write, move away, cut and delete. One thread at a time.
class LogFollower {
 public:
  explicit LogFollower(std::filesystem::path file) : file_(std::move(file)) {}

  // Hands over each line that was ended since the last call, without its end; the first call begins where the
  // file ends then. Lines of more than 64 KiB are left out. False if lines may have been lost since.
  // kNotFound, or kUnavailable if there is no file to read, or none that is an ordinary one.
  Result<bool> read(const std::function<void(std::string_view)>& line);

 private:
  Status open(bool at_its_end);
  // Until there is no more. False if there is too much.
  Result<bool> drain(const std::function<void(std::string_view)>& line);
  bool wasChanged() const;

  std::filesystem::path file_;
  Descriptor open_;
  std::uint64_t at_ = 0;  // bytes that were read of it
  std::string last_;      // the last of them: what was read before has to be as it was
  std::string carry_;     // a line that has not ended
  bool skip_ = false;     // this line is too long, or its beginning was not seen
  bool gone_ = false;     // there was no file of this name since
};

class LogMetrics final : public Metrics {
 public:
  // Seconds since 1970.
  using Clock = std::function<double()>;
  // `balancer` has to outlive it.
  LogMetrics(std::filesystem::path file, HaproxyOptions names, const Balancer& balancer, Clock clock = {});

  // Finds where the log ends now; read() does, too, but keeps its errors to itself, as what does not answer
  // now. Errors of LogFollower::read().
  Status begin();
  Result<Figures> read() override;

 private:
  void follow();

  LogFollower follower_;
  HaproxyOptions names_;
  const Balancer& balancer_;
  Clock clock_;
  std::array<Histogram, kPools> latency_;  // of what was answered
  double news_s_ = 0;                      // when a request of a pool was seen last; 0 if never
  std::uint64_t life_ = 0;                 // of the counters
};

}  // namespace ordo::loop
