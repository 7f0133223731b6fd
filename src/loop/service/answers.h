// Whether the canary answers as production does: requests that change nothing are sent to an instance of each
// pool, and what comes back is compared. What a stage's inputs do not show shows here, on what clients really
// ask, and errors that no status tells of.
//
//   requests  of a file: one that people wrote, or a log that grows (mirrored a little later). The last
//   thousand
//             are remembered, and one of them is drawn each time
//   rule      status and body have to be alike; headers are ignored, and so are parts of the body that
//   `ignore`
//             matches
//   verdict   who alone has another answer, of three that are asked at once in a random order, is the odd
//   one.
//             Where canary and control are the same program, each is it as often, however little the service
//             agrees with itself: what is beyond that is the candidate's (loop/reward)
//   again     what an arm answered oddly is asked again some times, `again_s` apart, so that a request that
//   it
//             always answers wrongly is found though it is one of a thousand. Those are counted apart
//
// All of it is on one thread of its own, and bounded: so many requests a second, each with a time and a size,
// to the three addresses of the settings and nobody else.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/controller/world.h"
#include "support/hash.h"
#include "support/rng.h"

namespace ordo::loop {

struct AnswersOptions {
  std::filesystem::path requests;  // a file; without one nothing is compared
  struct Address {
    std::string host;
    int port = 0;
  };
  std::array<Address, kPools> pools;
  std::vector<std::string> methods = {"GET", "HEAD"};  // that may be sent
  std::map<std::string, std::string> headers = {};     // sent with each
  std::vector<std::string> ignore = {};                // extended regular expressions of POSIX
  double rate = 20;                                    // requests a second, to each
  double timeout_s = 2, again_s = 5;
  std::uint64_t most_bytes = std::uint64_t{256} << 10;  // of an answer; only so much is compared
};

// kInvalidArgument, with what is wrong, if they make no sense.
Status check(const AnswersOptions& options);

struct AskedRequest {
  std::string method, path, body;
  auto operator<=>(const AskedRequest&) const = default;
};

// A line of the file: "METHOD PATH" and maybe a body, or a line of a log that has "METHOD PATH HTTP/1.1" in
// quotes, as HAProxy, nginx and Apache write it. Nothing if it is neither, or of a method that is not
// allowed.
std::optional<AskedRequest> readRequest(std::string_view line, const std::vector<std::string>& methods);

// What is left of `body` without the parts that may differ.
class Blanker {
 public:
  // kInvalidArgument if one is no expression, has a back reference, or matches nothing at all.
  static Result<Blanker> create(const std::vector<std::string>& patterns);
  std::string blank(std::string body) const;

 private:
  struct Patterns;
  explicit Blanker(std::shared_ptr<const Patterns> patterns) : patterns_(std::move(patterns)) {}
  std::shared_ptr<const Patterns> patterns_;
};

// What one of three said; nothing if it did not answer.
struct Answer {
  int status = 0;
  Hash128 digest;
  bool operator==(const Answer&) const = default;
};

enum class Oddness : std::uint8_t { kNone, kProduction, kControl, kCanary, kAllDiffer, kUnknown };

// Whether one of them alone has another answer, or none. Unknown while production, or both others, do not
// answer.
Oddness oddOf(const std::array<std::optional<Answer>, kPools>& answers);

// Since the beginning.
struct AnswerCounts {
  std::array<std::uint64_t, kPools> odd{}, odd_again{};
  std::uint64_t compared = 0;       // where at least two agree
  std::uint64_t all_different = 0;  // where nothing could be told
};

// Asks while it is told to.
class Answers {
 public:
  // kNotFound or kUnavailable for the file, kInvalidArgument as check(). Starts the thread.
  static Result<std::unique_ptr<Answers>> start(const AnswersOptions& options, std::uint64_t seed);
  ~Answers();  // within the time of a request
  Answers(Answers&&) = delete;

  // Whether there is a canary to be asked. Another one is another candidate: nothing is asked again for it.
  void ask(bool wanted);
  AnswerCounts counts() const;

 private:
  struct Work;
  explicit Answers(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

// Figures of `inner`, with what came of the answers.
class AnsweredMetrics final : public Metrics {
 public:
  AnsweredMetrics(std::unique_ptr<Metrics> inner, std::unique_ptr<Answers> answers)
      : inner_(std::move(inner)), answers_(std::move(answers)) {}
  Result<Figures> read() override;
  std::string problem() const override;

 private:
  std::unique_ptr<Metrics> inner_;
  std::unique_ptr<Answers> answers_;
};

}  // namespace ordo::loop
