// Requests at a rate, whatever the answers do: who waits for an answer before the next request does not see
// what users see when a service is slow.
//
//   load PORT RATE MIX [MIX…]   MIX is compress,parse,query as in 3,1,1; SIGUSR1 goes on to the next
//
// Ends by SIGTERM or SIGINT and prints what came of all requests; exit code 1 if any was lost: nobody
// answered it, or the balancer said that nobody could. What a server answered with an error, or not in time,
// is told apart. What was sent over a connection that its other end had just closed, as a balancer that is
// reloaded does, is sent again, once, as browsers do (RFC 9110, section 9.2.2).
#include <httplib.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

// So many requests may be on their way: a server that hangs must not hold up the others.
constexpr unsigned kConnections = 64;
std::atomic<bool> stopped{false};
std::atomic<std::size_t> shifts{0};

using Mix = std::array<double, 3>;
using Clock = std::chrono::steady_clock;

struct Request {
  Clock::time_point due;
  std::string path;
};

// One stream of requests, from which whoever is free takes the next.
class Arrivals {
 public:
  Arrivals(double rate, std::vector<Mix> mixes) : gap_(rate), mixes_(std::move(mixes)) {}

  Request next() {
    const std::lock_guard lock(mutex_);
    constexpr std::array<const char*, 3> kPaths = {"/compress", "/parse", "/query"};
    due_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(gap_(random_)));
    const Mix& mix = mixes_[std::min<std::size_t>(shifts, mixes_.size() - 1)];
    std::discrete_distribution<std::size_t> kind(mix.begin(), mix.end());
    const std::string path = kPaths[kind(random_)];
    return {due_, path + "?id=" + std::to_string(random_() % 100000)};
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 random_{1};
  std::exponential_distribution<double> gap_;
  std::vector<Mix> mixes_;
  Clock::time_point due_ = Clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: load PORT RATE MIX [MIX...]\n");
    return 64;
  }
  const int port = std::atoi(argv[1]);
  std::vector<Mix> mixes;
  for (int i = 3; i < argc; ++i) {
    Mix mix{};
    if (std::sscanf(argv[i], "%lf,%lf,%lf", &mix[0], &mix[1], &mix[2]) != 3) return 64;
    mixes.push_back(mix);
  }
  std::signal(SIGTERM, [](int) { stopped = true; });
  std::signal(SIGINT, [](int) { stopped = true; });
  std::signal(SIGUSR1, [](int) { ++shifts; });
  Arrivals arrivals(std::atof(argv[2]), mixes);
  std::atomic<std::uint64_t> sent{0}, lost{0}, failed{0}, timed_out{0}, late{0}, again{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kConnections; ++t) {
    threads.emplace_back([&] {
      httplib::Client client("127.0.0.1", port);
      client.set_keep_alive(true);
      client.set_tcp_nodelay(true);
      client.set_read_timeout(30);
      bool reused = false;
      while (!stopped) {
        const Request request = arrivals.next();
        if (Clock::now() > request.due + std::chrono::milliseconds(100)) ++late;
        std::this_thread::sleep_until(request.due);
        if (stopped) return;
        auto answer = client.Get(request.path.c_str());
        if (reused && !answer && answer.error() == httplib::Error::Read) {
          ++again;
          answer = client.Get(request.path.c_str());
        }
        reused = static_cast<bool>(answer);
        ++sent;
        const int status = answer ? answer->status : 0;
        if (status == 500) {
          ++failed;
        } else if (status == 504) {
          ++timed_out;
        } else if (status != 200 && ++lost <= 5) {
          std::printf("load: %s: %s\n", request.path.c_str(),
                      answer ? std::to_string(status).c_str() : httplib::to_string(answer.error()).c_str());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf(
      "load: %llu requests, %llu lost, %llu answered with an error, %llu not in time; "
      "%llu sent more than 0.1 s late, %llu over a new connection\n",
      static_cast<unsigned long long>(sent), static_cast<unsigned long long>(lost),
      static_cast<unsigned long long>(failed), static_cast<unsigned long long>(timed_out),
      static_cast<unsigned long long>(late), static_cast<unsigned long long>(again));
  return lost > 0 ? 1 : 0;
}
