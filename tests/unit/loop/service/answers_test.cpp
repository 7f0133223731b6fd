#include "loop/service/answers.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "support/files.h"
#include "tests/fakes/counted_balancer.h"

namespace ordo::loop {
namespace {

const std::vector<std::string> kMethods = {"GET", "HEAD"};

TEST(LoopAnswersTest, ReadsRequestsOfAListAndOfLogs) {
  const auto path = [](std::string_view line, const std::vector<std::string>& methods = kMethods) {
    const auto request = readRequest(line, methods);
    return request
               ? request->method + " " + request->path + (request->body.empty() ? "" : " " + request->body)
               : "none";
  };
  EXPECT_EQ(path("GET /cart?id=7"), "GET /cart?id=7");
  EXPECT_EQ(path("HEAD / HTTP/1.1\r"), "HEAD /");
  EXPECT_EQ(path("POST /find {\"a\": 1}", {"POST"}), "POST /find {\"a\": 1}");
  EXPECT_EQ(
      path("127.0.0.1 - - [28/Nov/2026:14:00:00 +0000] \"GET /a?b=%20c HTTP/1.1\" 200 5 \"-\" \"curl\""),
      "GET /a?b=%20c");
  EXPECT_EQ(path("<134>Nov 28 14:00:00 h haproxy[1]: 1.2.3.4:5 [28/Nov/2026:14:00:00.1] fe app/canary "
                 "0/0/0/1/1 200 9 - - "
                 "---- 1/1/0/0/0 0/0 {curl} \"GET /x HTTP/1.1\""),
            "GET /x");
  for (const char* const line :
       {"", "GET", "GET ", "GET x", "get /x", "# GET /x", "POST /x", "DELETE /x", "GET /a\tb", "GET /a#b",
        "GET //\x80", "x \"POST /x HTTP/1.1\"", "x \"GET /x\"", "x \"GET /x y HTTP/1.1\"", "x \"GET /x"})
    EXPECT_EQ(path(line), "none") << line;
  EXPECT_EQ(path("GET /" + std::string(9000, 'a')), "none");
}

TEST(LoopAnswersTest, BlanksWhatMayDiffer) {
  const Blanker blanker = *Blanker::create({"\"took\": *[0-9.]+", "[0-9a-f]{8}-[0-9a-f]{4}"});
  EXPECT_EQ(blanker.blank("{\"took\": 1.5, \"sum\": 7}"), blanker.blank("{\"took\": 22, \"sum\": 7}"));
  EXPECT_NE(blanker.blank("{\"took\": 1.5, \"sum\": 7}"), blanker.blank("{\"took\": 1.5, \"sum\": 8}"));
  EXPECT_NE(blanker.blank("{\"took\": 1}"), blanker.blank("{}")) << "that there is something counts";
  EXPECT_EQ(blanker.blank("a 01234567-89ab b 11111111-1111"),
            blanker.blank("a 76543210-ffff b 22222222-2222"));
  const std::string large(1 << 20, 'a'), zeros("a\0b", 3);
  EXPECT_EQ(Blanker::create({".*x"})->blank(large), large) << "and the stack is deep enough";
  EXPECT_EQ(blanker.blank(zeros), zeros);
  EXPECT_EQ(Blanker::create({"^a"})->blank("aaa"), std::string("\0aa", 3));
  for (const char* const wrong : {"", "(", "a*", "x?", "(a)\\1", "[z-a]"})
    EXPECT_FALSE(Blanker::create({wrong})) << wrong;
}

TEST(LoopAnswersTest, TheOddOneOfThreeIsNamed) {
  const Answer a{200, {1, 1}}, b{200, {1, 2}}, c{500, {1, 1}};
  const std::optional<Answer> none;
  EXPECT_EQ(oddOf({a, a, a}), Oddness::kNone);
  EXPECT_EQ(oddOf({a, a, b}), Oddness::kCanary);
  EXPECT_EQ(oddOf({a, a, c}), Oddness::kCanary) << "a status always counts";
  EXPECT_EQ(oddOf({a, a, none}), Oddness::kCanary);
  EXPECT_EQ(oddOf({a, b, a}), Oddness::kControl);
  EXPECT_EQ(oddOf({a, none, a}), Oddness::kControl);
  EXPECT_EQ(oddOf({b, a, a}), Oddness::kProduction);
  EXPECT_EQ(oddOf({a, b, c}), Oddness::kAllDiffer);
  EXPECT_EQ(oddOf({none, a, b}), Oddness::kUnknown);
  EXPECT_EQ(oddOf({a, none, none}), Oddness::kUnknown) << "nobody of their age answers";
}

// A pool that answers with what a function makes of the path.
class ThreePools {
 public:
  using Answering = std::function<std::string(int pool, const std::string& path)>;
  explicit ThreePools(Answering answering) {
    for (int i = 0; i < 3; ++i) {
      servers[i].Get(".*",
                     [this, i, answering](const httplib::Request& request, httplib::Response& response) {
                       ++asked;
                       response.set_header("X-Pool", std::to_string(i));
                       response.set_content(answering(i, request.path), "text/plain");
                     });
      options.pools[i] = {"127.0.0.1", servers[i].bind_to_any_port("127.0.0.1")};
      threads[i] = std::thread([this, i] { servers[i].listen_after_bind(); });
    }
    options.requests = dir.path() / "requests";
    std::ofstream list(options.requests);
    for (int i = 0; i < 20; ++i) list << "GET /item/" << i << "\nDELETE /item/" << i << "\n";
    options.rate = 1000;
    options.again_s = 0;
  }
  ~ThreePools() {
    for (int i = 0; i < 3; ++i) {
      while (!servers[i].is_running()) std::this_thread::yield();
      servers[i].stop();
      threads[i].join();
    }
  }
  // Until so many were compared.
  AnswerCounts compared(std::uint64_t count) const {
    auto answers = Answers::start(options, 1);
    EXPECT_TRUE(answers) << answers.error().message;
    (*answers)->ask(true);
    for (;;) {
      const AnswerCounts counts = (*answers)->counts();
      if (counts.compared + counts.all_different >= count) return counts;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  TempDir dir = *TempDir::create();
  AnswersOptions options;
  std::atomic<int> asked{0};

 private:
  std::array<httplib::Server, 3> servers;
  std::array<std::thread, 3> threads;
};

TEST(LoopAnswersTest, ACanaryThatAnswersAsControlDoesIsNeverOdd) {
  const ThreePools pools([](int, const std::string& path) { return "ok " + path; });
  const AnswerCounts counts = pools.compared(50);
  EXPECT_EQ(counts.odd[0] + counts.odd[1] + counts.odd[2], 0u);
  EXPECT_EQ(counts.all_different, 0u);
}

TEST(LoopAnswersTest, OneWrongAnswerOfTwentyIsFoundAndAskedAgain) {
  const ThreePools pools([](int pool, const std::string& path) {
    return pool == 2 && path == "/item/7" ? std::string("wrong") : "ok " + path;
  });
  const AnswerCounts counts = pools.compared(150);
  EXPECT_GT(counts.odd[2], 0u);
  EXPECT_GT(counts.odd_again[2], counts.odd[2]);
  EXPECT_EQ(counts.odd[1] + counts.odd_again[1], 0u);
}

TEST(LoopAnswersTest, AServiceThatNeverAgreesWithItselfSaysNothing) {
  std::atomic<int> number{0};
  const ThreePools pools([&](int, const std::string&) { return std::to_string(++number); });
  const AnswerCounts counts = pools.compared(30);
  EXPECT_EQ(counts.compared, 0u);
  EXPECT_EQ(counts.odd[2], 0u);
}

TEST(LoopAnswersTest, NobodyIsAskedWithoutACanary) {
  ThreePools pools([](int, const std::string& path) { return path; });
  const fakes::CountedBalancer idle(
      fakes::CountedBalancer::Counts{{{.up = true}, {.up = true}, {.up = true}}});
  class Nothing final : public Metrics {
   public:
    explicit Nothing(const Balancer& balancer) : balancer_(balancer) {}
    Result<Figures> read() override { return counted({}, balancer_); }

   private:
    const Balancer& balancer_;
  };
  {
    AnsweredMetrics metrics(std::make_unique<Nothing>(idle), *Answers::start(pools.options, 1));
    EXPECT_EQ((*metrics.read())[2]->compared, 0u);
  }
  EXPECT_EQ(pools.asked, 0);
  const fakes::CountedBalancer serving(
      fakes::CountedBalancer::Counts{{{.up = true}, {.up = true}, {.up = true, .serves = true}}});
  AnsweredMetrics metrics(std::make_unique<Nothing>(serving), *Answers::start(pools.options, 1));
  while ((*metrics.read())[2]->compared < 5) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE((*metrics.read())[1]->compared, 5u);
}

TEST(LoopAnswersTest, AFileWithoutRequestsAndOptionsThatMakeNoSenseAreErrors) {
  ThreePools pools([](int, const std::string& path) { return path; });
  std::ofstream(pools.options.requests) << "nothing\n";
  EXPECT_EQ(Answers::start(pools.options, 1).error().code, ErrorCode::kUnsupported);
  pools.options.requests = "/nonexistent/requests";
  EXPECT_EQ(Answers::start(pools.options, 1).error().code, ErrorCode::kNotFound);
  const auto refused = [&](auto change) {
    AnswersOptions options = pools.options;
    change(options);
    return !check(options);
  };
  EXPECT_TRUE(check(pools.options));
  EXPECT_TRUE(refused([](AnswersOptions& options) { options.rate = 0; }));
  EXPECT_TRUE(refused([](AnswersOptions& options) { options.pools[2].port = 0; }));
  EXPECT_TRUE(refused([](AnswersOptions& options) { options.methods = {"GET /x"}; }));
  EXPECT_TRUE(refused([](AnswersOptions& options) { options.headers = {{"A", "b\r\nC: d"}}; }));
  EXPECT_TRUE(refused([](AnswersOptions& options) { options.ignore = {"("}; }));
  EXPECT_TRUE(refused([](AnswersOptions& options) { options.most_bytes = 1ull << 40; }));
}

}  // namespace
}  // namespace ordo::loop
